import { get } from 'node:http';

/** One answer, its header fields as they came over the wire. */
export interface Answer {
  headers: [name: string, value: string][];
  body: string;
}

/** Asks once, over a connection of its own. @throws where the status is not 200 */
export function ask(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Keep-alive as the load generator asks for: Node answers such a request with one field more.
    get(url, { agent: false, headers: { connection: 'keep-alive' } }, (response) => {
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

/** The number of elements that a collection has, as its page says. */
export async function countAt(url: string): Promise<number> {
  const { page } = JSON.parse((await ask(url)).body) as { page: { totalElements: number } };
  return page.totalElements;
}
