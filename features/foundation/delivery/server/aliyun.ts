import { callAlibabaCloud, type AlibabaKeys } from '#base/server/outbound/alibaba-cloud.ts'
import type { Provider, Text } from '#delivery/server/provider.ts'

export type Keys = AlibabaKeys & { sign: string; template: string }

// Errors of the number, or of its owner.
const permanentErrors = ['isv.MOBILE_NUMBER_ILLEGAL', 'isv.BLACK_KEY_CONTROL_LIMIT', 'isv.MOBILE_COUNT_OVER_LIMIT', 'isv.DENY_IP_RANGE']

/** Alibaba Cloud's SendSms of 2017-05-25. */
export function aliyun({ sign, template, ...keys }: Keys, desk = 'https://dysmsapi.aliyuncs.com/'): Provider<Text> {
  return {
    name: 'aliyun',
    async send({ to, values }) {
      const { status, body } = await callAlibabaCloud({
        ...keys,
        desk,
        action: 'SendSms',
        version: '2017-05-25',
        values: {
          PhoneNumbers: to.startsWith('+86') ? to.slice(3) : to.slice(1),
          SignName: sign,
          TemplateCode: template,
          TemplateParam: JSON.stringify(values['code'] ? { code: values['code'] } : {}),
        },
      })
      const { Code: code = String(status), Message: why = '', BizId: as = null }: ProviderResponse = body
      if (code === 'OK') return { is: 'sent', as }
      return { is: permanentErrors.includes(code) ? 'never' : 'later', why: `${code} ${why}` }
    },
  }
}

type ProviderResponse = { Code?: string; Message?: string; BizId?: string | null }
