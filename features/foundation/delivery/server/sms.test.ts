import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { aliyun } from '#delivery/server/aliyun.ts'
import type { Template } from '#delivery/contract.ts'
import { approved } from '#delivery/server/configured-provider.ts'
import { tencent } from '#delivery/server/tencent.ts'
import { webhook } from '#delivery/server/webhook.ts'

type ReceivedRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string }

/** A stand-in of a provider of text messages, which answers as the test says. */
async function aDesk(answer: (request: ReceivedRequest) => { status?: number; body: string }) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const { status = 200, body: text } = answer({ method: request.method ?? '', url, headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

const secret = 'a-secret-of-leaves'
const message = {
  to: '+8613800000000',
  text: 'Your code is 123456',
  template: 'code',
  values: { code: '123456', minutes: '10' },
  language: 'zh',
  key: 'abc',
} as const

let answer: { status?: number; body: string }
let requests: ReceivedRequest[] = []
const desk = await aDesk((one) => {
  requests.push(one)
  return answer
})
afterAll(desk.close)
beforeEach(() => {
  requests = []
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const only = (): ReceivedRequest => {
  const [one, ...others] = requests
  if (!one || others.length > 0) throw new Error(`Asked ${requests.length} times`)
  return one
}
const lines = ({ headers }: ReceivedRequest, names: string) =>
  names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('')

test('Alibaba Cloud is asked once, with a signature that it can check', async () => {
  answer = { body: '{"Code":"OK","BizId":"42","Message":"OK"}' }
  const provider = aliyun({ keyId: 'tea', secret, sign: '茶馆 (Tea)', template: 'SMS_1' }, desk.address)
  expect(await provider.send(message)).toEqual({ is: 'sent', as: '42' })
  const one = only()
  const { PhoneNumbers, SignName, TemplateParam, TemplateCode } = Object.fromEntries(one.url.searchParams)
  expect([PhoneNumbers, SignName, TemplateCode, JSON.parse(TemplateParam ?? '')]).toEqual([
    '13800000000',
    '茶馆 (Tea)',
    'SMS_1',
    { code: '123456' },
  ])
  const [, id, names = '', signature] =
    /^ACS3-HMAC-SHA256 Credential=(.*),SignedHeaders=(.*),Signature=(.*)$/.exec(String(one.headers.authorization)) ?? []
  const request = [one.method, one.url.pathname, one.url.search.slice(1), lines(one, names), names, sha256(one.body)].join('\n')
  expect([id, signature]).toEqual(['tea', hmac(secret, `ACS3-HMAC-SHA256\n${sha256(request)}`).toString('hex')])
  expect(names.split(';')).toEqual(
    expect.arrayContaining(['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-signature-nonce', 'x-acs-version']),
  )
  expect(one.headers['x-acs-date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('Tencent Cloud is asked once, with a signature that it can check', async () => {
  answer = { body: '{"Response":{"SendStatusSet":[{"Code":"Ok","SerialNo":"77"}]}}' }
  const provider = tencent({ keyId: 'tea', secret, appId: '1400', sign: '茶馆', template: '9' }, desk.address)
  expect(await provider.send(message)).toEqual({ is: 'sent', as: '77' })
  const one = only()
  expect(JSON.parse(one.body)).toEqual({
    PhoneNumberSet: ['+8613800000000'],
    SmsSdkAppId: '1400',
    SignName: '茶馆',
    TemplateId: '9',
    TemplateParamSet: ['123456', '10'],
  })
  const [, id, scope = '', names = '', signature] =
    /^TC3-HMAC-SHA256 Credential=([^/]*)\/(.*), SignedHeaders=(.*), Signature=(.*)$/.exec(String(one.headers.authorization)) ?? []
  const request = [one.method, '/', '', lines(one, names), names, sha256(one.body)].join('\n')
  const seconds = String(one.headers['x-tc-timestamp'])
  const day = new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
  expect(scope).toBe(`${day}/sms/tc3_request`)
  const key = hmac(hmac(hmac(`TC3${secret}`, day), 'sms'), 'tc3_request')
  expect([id, signature]).toEqual(['tea', hmac(key, ['TC3-HMAC-SHA256', seconds, scope, sha256(request)].join('\n')).toString('hex')])
})

test('the operator’s own server is sent the message, signed over its bytes and the time', async () => {
  answer = { status: 202, body: '' }
  expect(await webhook({ url: `${desk.address}sms`, secret }).send(message)).toEqual({ is: 'sent', as: null })
  const one = only()
  expect(JSON.parse(one.body)).toEqual(message)
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(one.headers['teahouse-signature'])) ?? []
  expect(signature).toBe(hmac(secret, `${seconds}.${one.body}`).toString('hex'))
})

const ali = aliyun({ keyId: 'tea', secret, sign: 's', template: 't' }, desk.address)
const qq = tencent({ keyId: 'tea', secret, appId: '1', sign: 's', template: 't' }, desk.address)
const own = webhook({ url: desk.address, secret })

test.each([
  ['a wrong number', ali, 200, '{"Code":"isv.MOBILE_NUMBER_ILLEGAL","Message":"no"}', 'never'],
  ['too much business', ali, 200, '{"Code":"isv.BUSINESS_LIMIT_CONTROL"}', 'later'],
  ['a wrong signature', ali, 400, '{"Code":"SignatureDoesNotMatch"}', 'later'],
  ['no sense', ali, 200, '<html>', 'later'],
  ['a wrong number', qq, 200, '{"Response":{"SendStatusSet":[{"Code":"InvalidParameterValue.IncorrectPhoneNumber"}]}}', 'never'],
  ['an error', qq, 200, '{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure","Message":"no"}}}', 'later'],
  ['no sense', qq, 502, 'null', 'later'],
  ['gone', own, 410, '', 'never'],
  ['away', own, 503, '', 'later'],
  ['a wrong address', own, 404, '', 'later'],
] as const)('a message answered with %s is not sent (%#)', async (_, provider, status, body, is) => {
  answer = { status, body }
  const outcome = await provider.send(message)
  expect(outcome.is).toBe(is)
  expect(JSON.stringify(outcome)).not.toContain(secret)
})

test('each text is an approved one, in the language of its reader if there is one, and else none', () => {
  const its = {
    smsCodeTemplateZh: 'code_zh',
    smsCodeTemplateEn: 'code_en',
    smsChangedTemplateZh: 'changed_zh',
    smsChangedTemplateEn: '',
    smsPasswordTemplateZh: 'password_zh',
    smsPasswordTemplateEn: 'password_en',
  }
  const of = (template: Template, language: 'zh' | 'en') => approved(its, { template, language })
  expect([of('code', 'en'), of('numberChanged', 'en'), of('passwordChanged', 'en'), of('passwordChanged', 'zh'), of('test', 'zh')]).toEqual(
    ['code_en', 'changed_zh', 'password_en', 'password_zh', ''],
  )
})

test('a change of access to an account is sent with the nearest approved text', () => {
  const none = { smsCodeTemplateZh: 'code', smsCodeTemplateEn: '', smsChangedTemplateEn: '', smsPasswordTemplateEn: '' }
  const of = (template: Template, smsChangedTemplateZh: string, smsPasswordTemplateZh: string) =>
    approved({ ...none, smsChangedTemplateZh, smsPasswordTemplateZh }, { template, language: 'en' })
  for (const template of ['emailBound', 'emailChanged', 'numberBound', 'accountsMerged'] as const)
    expect([of(template, 'changed', 'password'), of(template, '', 'password'), of(template, '', '')]).toEqual(['changed', 'password', ''])
  for (const template of [
    'hintChanged',
    'secondFactorOn',
    'secondFactorOff',
    'recoveryCodesRenewed',
    'passkeyAdded',
    'staffChanged',
    'takenBack',
  ] as const)
    expect([of(template, 'changed', 'password'), of(template, 'changed', ''), of(template, '', '')]).toEqual(['password', 'changed', ''])
  for (const template of ['newLogin', 'dataReady', 'notifications'] as const) expect(of(template, 'changed', 'password')).toBe('')
})
