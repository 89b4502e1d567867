import { createHash, createHmac, randomUUID } from 'node:crypto'
import { askNamed } from '#base/server/safe-fetch.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

export type Keys = { keyId: string; secret: string; sign: string; template: string }

// What is wrong with the number, or with the one who has it.
const never = ['isv.MOBILE_NUMBER_ILLEGAL', 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.MOBILE_COUNT_OVER_LIMIT', 'isv.DENY_IP_RANGE']

/** Alibaba Cloud's SendSms of 2017-05-25, signed with ACS3-HMAC-SHA256. */
export function aliyun({ keyId, secret, sign, template }: Keys, desk = 'https://dysmsapi.aliyuncs.com/'): Provider<Text> {
  return {
    name: 'aliyun',
    async send({ to, values }) {
      const query = canonical({
        PhoneNumbers: to.startsWith('+86') ? to.slice(3) : to.slice(1),
        SignName: sign,
        TemplateCode: template,
        TemplateParam: JSON.stringify(values['code'] ? { code: values['code'] } : {}),
      })
      const address = new URL(`${desk}?${query}`)
      const { status, text } = await askNamed(address, {
        method: 'POST',
        headers: signed(address.host, query, { keyId, secret }),
        mostBytes: 100_000,
      })
      const { Code: code = String(status), Message: said = '', BizId: as = null } = answerIn(text)
      if (code === 'OK') return { is: 'sent', as }
      return { is: never.includes(code) ? 'never' : 'later', why: `${code} ${said}` }
    },
  }
}

function signed(host: string, query: string, { keyId, secret }: Pick<Keys, 'keyId' | 'secret'>): Record<string, string> {
  const headers: Record<string, string> = {
    host,
    'x-acs-action': 'SendSms',
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': `${new Date().toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-version': '2017-05-25',
  }
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const request = ['POST', '/', query, lines, names.join(';'), sha256('')].join('\n')
  const signature = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(request)}`)
    .digest('hex')
  const { host: _, ...sent } = headers
  return { ...sent, authorization: `ACS3-HMAC-SHA256 Credential=${keyId},SignedHeaders=${names.join(';')},Signature=${signature}` }
}

function canonical(values: Record<string, string>): string {
  return Object.keys(values)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(values[name] ?? '')}`)
    .join('&')
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function answerIn(text: string): { Code?: string; Message?: string; BizId?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
