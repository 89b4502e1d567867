import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { serve } from '#base/testing/fake-server.ts'
import { aCertificate, type Certified } from '#payment/testing/certificate.ts'
import { answerTo, chinaTime, factsOf, refusal, initialState, type WechatState } from '#payment/testing/wechat-endpoints.ts'
import { isFromMerchant, isSignedBy, createKeyring, type WechatKeyring, type Signer } from '#payment/testing/wechat-keyring.ts'

/**
 * The behaviour: away drops the connection, slow never responds, rubbish responds with a page, failing with an error, and impostor signs
 * with a foreign key.
 */
type Behaviour = {
  mood: 'well' | 'away' | 'slow' | 'rubbish' | 'failing' | 'impostor'
  impostor: Certified
  asked: string[]
  heard: PromiseWithResolvers<void>
}

/** A local stand-in for WeChat Pay, as documented: it verifies requests, signs responses, and encrypts with the APIv3 key. */
export async function aWechat({ isKeyed = false } = {}) {
  const keyring = createKeyring(isKeyed)
  const state = initialState(keyring)
  const behaviour: Behaviour = { mood: 'well', impostor: aCertificate('Somebody'), asked: [], heard: Promise.withResolvers() }
  const { address, close } = await serve(() => (request, response) => answer(state, behaviour, request, response))
  state.address = address
  return {
    keys: keyring.keys,
    platform: keyring.platform,
    address: new URL(address),
    world: state,
    today: behaviour,
    /** Whether the merchant signed these lines. */
    isMerchants: (lines: string, signature: string) => isSignedBy(keyring.merchant.key, lines, signature),
    facts: (number: string) => factsOf(state, number),
    notification: (says: unknown, note: Note = {}) => notificationOf(keyring, says, note),
    /** A notification with this text, rightly signed. */
    signedAsIs: (body: Buffer): Message => ({ headers: keyring.signed(body.toString(), keyring.signer()), body }),
    /** Signs by a new certificate from now on. Earlier ones stay valid. */
    rotate: () => void keyring.platform.unshift(aCertificate('Tenpay')),
    /** Resolves when the next request arrives. */
    hears: () => (behaviour.heard = Promise.withResolvers()).promise,
    /** The payer pays; returns the paid order. */
    pay(number: string): Record<string, unknown> {
      const order = state.orders.get(number)
      if (order) Object.assign(order, { trade_state: 'SUCCESS', success_time: chinaTime() })
      return factsOf(state, number)
    },
    /** A single-use code that identifies a payer inside the app. */
    codeOf: (openid: string) => newCode(state, openid),
    close,
  }
}

export type Wechat = Awaited<ReturnType<typeof aWechat>>

async function answer(state: WechatState, behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [method, url, body] = [request.method ?? '', request.url ?? '', await text(request)]
  const { pathname: path, searchParams: query } = new URL(url, state.address)
  behaviour.asked.push(`${method} ${path}`)
  behaviour.heard.resolve()
  if (behaviour.mood === 'slow') return
  if (behaviour.mood === 'away') return void request.socket.destroy()
  if (behaviour.mood === 'rubbish') return void response.end('<html>')
  if (path === '/connect/oauth2/authorize') return void response.writeHead(302, { location: redirectUrl(query, newCode(state)) }).end()
  const isKnown = path.startsWith('/sns/') || isFromMerchant(state.seals, request.headers.authorization ?? '', `${method}\n${url}`, body)
  const { status, says, file } = !isKnown
    ? refusal(401, 'SIGN_ERROR', '签名错误')
    : behaviour.mood === 'failing'
      ? refusal(500, 'SYSTEM_ERROR', '系统错误')
      : answerTo(state, `${method} ${path}`, query, body)
  const responseBody = file ?? (says === undefined ? '' : JSON.stringify(says))
  const signer = { ...state.seals.signer(), ...(behaviour.mood === 'impostor' && { key: behaviour.impostor.key }) }
  const headers = { 'content-type': 'application/json', ...(isKnown && file === undefined && state.seals.signed(responseBody, signer)) }
  response.writeHead(status, headers).end(responseBody)
}

function newCode({ codes }: WechatState, openid = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o'): string {
  const code = randomBytes(12).toString('hex')
  codes.set(code, openid)
  return code
}

/** The address to which an identified payer is redirected. */
function redirectUrl(query: URLSearchParams, code: string): string {
  const home = new URL(query.get('redirect_uri') ?? '')
  home.searchParams.set('code', code)
  home.searchParams.set('state', query.get('state') ?? '')
  return home.href
}

type Note = { type?: string; at?: number; id?: string; by?: Signer; v3Key?: string }
export type Message = { headers: Record<string, string>; body: Buffer }

function notificationOf(
  { sealed, signed, signer }: WechatKeyring,
  says: unknown,
  { type = 'TRANSACTION.SUCCESS', at, id = randomBytes(16).toString('hex'), by = signer(), v3Key }: Note,
): Message {
  const resource = { original_type: 'transaction', ...sealed(JSON.stringify(says), 'transaction', v3Key) }
  const event = { id, create_time: chinaTime(), resource_type: 'encrypt-resource', event_type: type, summary: '支付成功', resource }
  const body = JSON.stringify(event)
  return { headers: signed(body, by, at), body: Buffer.from(body) }
}
