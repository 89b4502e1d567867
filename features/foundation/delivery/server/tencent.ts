import { createHash, createHmac } from 'node:crypto'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

export type Keys = { keyId: string; secret: string; appId: string; sign: string; template: string }

type Status = { Code?: string; Message?: string; SerialNo?: string }

// Errors of the number, or of its owner.
const permanentErrors = /^FailedOperation\.PhoneNumberInBlacklist|^InvalidParameterValue\.IncorrectPhoneNumber/

const type = 'application/json; charset=utf-8'

/** Tencent Cloud's SendSms of 2021-01-11, signed with TC3-HMAC-SHA256. */
export function tencent({ keyId, secret, appId, sign, template }: Keys, desk = 'https://sms.tencentcloudapi.com/'): Provider<Text> {
  return {
    name: 'tencent',
    async send({ to, values }) {
      const body = JSON.stringify({
        PhoneNumberSet: [to],
        SmsSdkAppId: appId,
        SignName: sign,
        TemplateId: template,
        TemplateParamSet: values['code'] ? [values['code'], values['minutes'] ?? ''] : [],
      })
      const address = new URL(desk)
      const headers = signed(address.host, body, { keyId, secret })
      const { status, text } = await fetchConfigured(address, { method: 'POST', headers, body, maxBytes: 100_000 })
      const { Code: code = String(status), Message: message = '', SerialNo: as = null } = statusIn(text)
      if (code === 'Ok') return { is: 'sent', as }
      return { is: permanentErrors.test(code) ? 'never' : 'later', why: `${code} ${message}` }
    },
  }
}

function signed(host: string, body: string, { keyId, secret }: Pick<Keys, 'keyId' | 'secret'>): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1000))
  const day = new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
  const scope = `${day}/sms/tc3_request`
  const request = ['POST', '/', '', `content-type:${type}\nhost:${host}\n`, 'content-type;host', sha256(body)].join('\n')
  const key = ['sms', 'tc3_request'].reduce((from, part) => hmac(from, part), hmac(`TC3${secret}`, day))
  const signature = hmac(key, ['TC3-HMAC-SHA256', seconds, scope, sha256(request)].join('\n')).toString('hex')
  return {
    'content-type': type,
    'x-tc-action': 'SendSms',
    'x-tc-version': '2021-01-11',
    'x-tc-region': 'ap-guangzhou',
    'x-tc-timestamp': seconds,
    authorization: `TC3-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
  }
}

function statusIn(text: string): Status {
  try {
    const parsed: { Response?: { Error?: Status; SendStatusSet?: Status[] } } | null = JSON.parse(text)
    return parsed?.Response?.Error ?? parsed?.Response?.SendStatusSet?.[0] ?? {}
  } catch {
    return {}
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
