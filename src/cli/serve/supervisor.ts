import { execFile } from 'node:child_process';

/** How long the program may take, in milliseconds. */
const PATIENCE = 10_000;
/** The longest interval of a timer in Node.js, in milliseconds. */
const LONGEST_INTERVAL = 2 ** 31 - 1;

/**
 * Notifies systemd of the state of a process that runs on (sd_notify(3)); does nothing without
 * systemd.
 */
interface Supervisor {
  /** The process has started. From now on, the watchdog is notified, if systemd asks for it. */
  ready: () => void;
  /** The process is stopping. */
  stopping: () => void;
}

/**
 * Finds out from the environment whether systemd expects notifications. Removes its variables, so
 * that children do not inherit them. Node.js cannot send to the socket, so `systemd-notify` does
 * it; the unit needs `NotifyAccess=all`.
 * @param failed called once, if that program fails
 */
export function findSupervisor(
  environment: NodeJS.ProcessEnv,
  failed: (message: string) => void,
): Supervisor {
  const { NOTIFY_SOCKET = '', WATCHDOG_USEC = '', WATCHDOG_PID, PATH } = environment;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
  let hasFailed = false;
  const notify = (state: string): void => {
    if (NOTIFY_SOCKET === '') return;
    execFile(
      'systemd-notify',
      [state],
      { env: { NOTIFY_SOCKET, PATH }, timeout: PATIENCE },
      (error, _stdout, stderr) => {
        if (error === null || hasFailed) return;
        hasFailed = true;
        const reason =
          stderr.trim() || String((error as NodeJS.ErrnoException).code ?? error.message);
        failed(`cannot notify systemd of ${state}: systemd-notify: ${reason}`);
      },
    );
  };
  const isForUs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  const interval = isForUs ? Number(WATCHDOG_USEC) / 2000 : 0;
  return {
    ready: () => {
      notify('READY=1');
      // The event loop calls this, so a process that hangs sends nothing.
      if (interval > 0)
        setInterval(() => notify('WATCHDOG=1'), Math.min(interval, LONGEST_INTERVAL)).unref();
    },
    stopping: () => notify('STOPPING=1'),
  };
}
