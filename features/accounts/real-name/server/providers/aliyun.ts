import { callAlibabaCloud, type AlibabaKeys } from '#base/server/outbound/alibaba-cloud.ts'
import type { Checker } from '#real-name/server/providers/provider.ts'

/** Alibaba Cloud's Id2MetaVerify of 2019-03-07: whether a name and a Chinese identity number belong to one person. */
export function aliyun(keys: AlibabaKeys, desk = 'https://cloudauth.aliyuncs.com/'): Checker {
  return {
    name: 'aliyun',
    documents: ['chineseId'],
    async check({ name, number }) {
      const values = { ParamType: 'normal', UserName: name, IdentifyNum: number }
      const { body } = await callAlibabaCloud({ ...keys, desk, action: 'Id2MetaVerify', version: '2019-03-07', values })
      const { Code: code, ResultObject: result }: ProviderResponse = body
      if (String(code) !== '200') return 'away'
      // 1: one person; 2: different people; 3: the number is unknown.
      const verdicts: Readonly<Record<string, 'same' | 'different'>> = { 1: 'same', 2: 'different', 3: 'different' }
      return verdicts[String(result?.BizCode)] ?? 'away'
    },
  }
}

type ProviderResponse = { Code?: unknown; ResultObject?: { BizCode?: unknown } | null }
