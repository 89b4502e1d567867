import { spawn, type ChildProcess } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ObjectStore } from '#base/server/config.ts'

/** An injected fault: the store fails, or the connection is cut before or within the answer. */
export type Fault = 'fails' | 'cut' | 'cut within'

export type S3Store = {
  store: ObjectStore
  /** Every request received, as `PUT /tea/name`. */
  requests: string[]
  /** Returns the fault of a request, if any. */
  fault: (asked: string) => Fault | null
  close(): Promise<void>
}

const keyId = 'S3RVER'
const secret = 'S3RVER'
const bucket = 'tea'
const cors =
  '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>'

/** A real S3 server in a process of its own, behind a proxy that checks every signature, which that server does not. */
export async function aStore(): Promise<S3Store> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-s3-'))
  const { child, port } = await start(folder)
  const door = createServer()
  await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const store: S3Store = {
    store: { url, publicUrl: url, bucket, region: 'us-east-1', keyId, secret },
    requests: [],
    fault: () => null,
    close: () => stop(door, child, folder),
  }
  door.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const requestLine = `${request.method} ${request.url?.split('?')[0]}`
    store.requests.push(requestLine)
    forward(request, response, port, store.fault(requestLine))
  })
  return store
}

async function start(folder: string): Promise<{ child: ChildProcess; port: number }> {
  const rules = join(folder, 'cors.xml')
  writeFileSync(rules, cors)
  const program = fileURLToPath(new URL('../node_modules/s3rver/bin/s3rver.js', import.meta.url))
  const options = ['-d', join(folder, 'objects'), '-a', '127.0.0.1', '-p', '0', '--service-endpoint', 'localhost']
  // It uses a legacy cipher for its page tokens.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, ...options, '--configure-bucket', bucket, rules])
  const port = await new Promise<number>((settle, fail) => {
    child.stdout.on('data', (text) => {
      const found = /listening on \S+:(\d+)/.exec(String(text))
      if (found) settle(Number(found[1]))
    })
    child.on('exit', (code) => fail(new Error(`The S3 server ended with ${code}`)))
  })
  return { child, port }
}

function stop(door: Server, child: ChildProcess, folder: string): Promise<void> {
  return new Promise((done) => {
    child.on('exit', () => {
      rmSync(folder, { recursive: true, force: true })
      door.close(() => done())
      door.closeAllConnections()
    })
    child.kill('SIGKILL')
  })
}

function forward(request: IncomingMessage, response: ServerResponse, port: number, fault: Fault | null): void {
  if (fault === 'cut') return void request.socket.destroy()
  if (fault === 'fails') return refuse(request, response, 500, 'InternalError')
  const wrong = request.method === 'OPTIONS' ? null : signatureFault(request)
  if (wrong) return refuse(request, response, 403, wrong)
  const { method = 'GET', url = '/', headers } = request
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  // An incomplete request is not passed on.
  request.on('end', () => {
    const onward = ask({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (fault === 'cut within') answer.once('data', (bytes: Buffer) => response.write(bytes.subarray(0, 100), () => response.destroy()))
      else answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(Buffer.concat(pieces))
  })
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume()
  response
    .writeHead(status, { 'content-type': 'application/xml', 'access-control-allow-origin': '*' })
    .end(`<Error><Code>${code}</Code></Error>`)
}

/** The fault in a request's signature, by AWS Signature Version 4. */
function signatureFault(request: IncomingMessage): string | null {
  const url = new URL(request.url ?? '/', 'http://store')
  const authorization = request.headers.authorization
    ? new Map(request.headers.authorization.split(/[ ,]+/).map((part) => part.split(/=(.*)/s) as [string, string]))
    : new Map(['Credential', 'SignedHeaders', 'Signature'].map((name) => [name, url.searchParams.get(`X-Amz-${name}`) ?? '']))
  const isInAddress = !request.headers.authorization
  const at = String(isInAddress ? url.searchParams.get('X-Amz-Date') : request.headers['x-amz-date'])
  const signedAt = Date.parse(at.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'))
  const lives = isInAddress ? Number(url.searchParams.get('X-Amz-Expires')) * 1000 : 900_000
  if (!(Math.abs(Date.now() - signedAt) <= lives)) return 'RequestExpired'
  const [, ...scope] = authorization.get('Credential')?.split('/') ?? []
  const payload = isInAddress ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256'])
  const canonical = [
    request.method,
    url.pathname,
    queryOf(url),
    ...headersOf(request, authorization.get('SignedHeaders') ?? ''),
    payload,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = scope.reduce<Buffer | string>((hmac, part) => createHmac('sha256', hmac).update(part).digest(), `AWS4${secret}`)
  return createHmac('sha256', key).update(text).digest('hex') === authorization.get('Signature') ? null : 'SignatureDoesNotMatch'
}

function queryOf(url: URL): string {
  const pairs = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature')
  const strictly = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return pairs
    .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
    .sort()
    .join('&')
}

function headersOf({ headers }: IncomingMessage, signed: string): string[] {
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}`)
  return [...lines, '', signed]
}
