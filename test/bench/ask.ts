import { type Agent, get } from 'node:http';

/** One answer, with its header fields as received. */
export interface Answer {
  headers: [name: string, value: string][];
  body: string;
}

/** Sends one GET, without an agent over a new connection. @throws {Error} if the status is not 200 */
export function ask(url: string, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Use keep-alive, as the load generator does: Node then sends one more header field.
    get(url, { agent, headers: { connection: 'keep-alive' } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject).on('end', () => {
        const { statusCode, rawHeaders: raw } = response;
        if (statusCode !== 200) return reject(new Error(`${url}: ${statusCode} ${body}`));
        const headers: Answer['headers'] = [];
        for (let index = 0; index < raw.length; index += 2) headers.push([raw[index]!, raw[index + 1]!]);
        resolve({ headers, body });
      });
    }).on('error', reject);
  });
}

/** The number of elements of a collection, as its page states it. */
export async function countAt(url: string): Promise<number> {
  const { page } = JSON.parse((await ask(url)).body) as { page: { totalElements: number } };
  return page.totalElements;
}
