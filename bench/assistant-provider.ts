import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

// A provider and its clients, in a process apart from the measured one: the provider sends a word every 20 ms, the first of which is the
// time, and the clients record its arrival.
const words = 250
const msBetween = 20

export type ProviderRequest = { address: string; path: string; body: string; headers: Record<string, string> }

const now = () => performance.timeOrigin + performance.now()
const event = (value: object) =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', ...value })}\n\n`
const word = (content: string) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

const server = http.createServer((request, response) => {
  void text(request).then(async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(word(`@${now()}@ `))
    for (let n = 0; n < words; n++) {
      await pause(msBetween)
      response.write(word(`word${n} `))
    }
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.write(event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: words, total_tokens: 100 + words } }))
    response.end('data: [DONE]\n\n')
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})

/** Reads one answer to its end, and returns the time of its first word from the provider to the client. */
function read({ address, path, body, headers }: ProviderRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = http.request(new URL(path, address), { method: 'POST', headers, agent: false }, (response) => {
    let [came, took] = ['', Number.NaN]
    response.on('data', (part: Buffer) => {
      if (!Number.isNaN(took)) return
      came += part.toString()
      const [, at] = /@([\d.]+)@/.exec(came) ?? []
      if (at) took = now() - Number(at)
    })
    response.on('end', () => (Number.isNaN(took) ? reject(new Error(`No word came: ${came.slice(0, 300)}`)) : resolve(took)))
  })
  request.on('error', reject)
  request.end(body)
  return promise
}

process.on('message', (wanted: ProviderRequest[]) => {
  void Promise.allSettled(wanted.map(read)).then((all) =>
    process.send?.({
      took: all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      failed: all.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
    }),
  )
})
