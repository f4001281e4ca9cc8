/** A Lua script for wrk: requests the paths in a file, one per line, in turn, and prints the results as JSON in the last line. */
export const WRK_SCRIPT = `
local requests = {}
local last = 0

function init(args)
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  if failed > 0 or summary.requests == 0 then
    io.stderr:write(failed .. " of " .. summary.requests .. " requests failed, " .. errors.status .. " by their status\\n")
    os.exit(1)
  end
  io.write(string.format('{"requests":%d,"seconds":%f,"p99":%f}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3))
end
`;
