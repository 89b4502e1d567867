import { refusalAt } from '#base/contract.ts'
import { OutboxForOthers, type AnySetting, type Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export const settingChecks: readonly setting.SettingCheck[] = [
  outboxCheck('emailProvider'),
  outboxCheck('smsProvider'),
  setting.requiredBy(
    ['emailProvider', 'smtpUser', 'dkimSelector', 'dkimKey'],
    ['smtpHost', 'emailFrom', 'smtpPassword'],
    ({ emailProvider }, isSet) => {
      if (emailProvider !== 'smtp') return []
      const account: AnySetting[] = isSet('smtpUser') ? ['smtpPassword'] : []
      const signed: AnySetting[] = isSet('dkimSelector') || isSet('dkimKey') ? ['dkimSelector', 'dkimKey'] : []
      return ['smtpHost', 'emailFrom', ...account, ...signed]
    },
  ),
  setting.requiredBy(
    ['smsProvider', 'smsCountries'],
    ['smsWebhookUrl', 'smsSecret', 'smsKeyId', 'smsAppId', 'smsSign', 'smsCodeTemplateZh', 'smsCodeTemplateEn'],
    neededForSms,
  ),
]

/** The outbox is in the memory of this machine, readable only on it. */
function outboxCheck(name: 'emailProvider' | 'smsProvider'): setting.SettingCheck {
  return {
    reads: [name],
    errorsIn: ({ settings }) => (settings[name] === 'outbox' && !setting.mayUseOutbox() ? [refusalAt(name, OutboxForOthers)()] : []),
  }
}

function neededForSms({ smsProvider, smsCountries, languages, smsCodeTemplateZh }: Settings): readonly AnySetting[] {
  if (smsProvider === 'none' || smsProvider === 'outbox') return []
  if (smsProvider === 'webhook') return ['smsWebhookUrl', 'smsSecret']
  // The Chinese text is the fallback for English, not the other way round.
  const isThere = !languages.includes('zh_CN') && smsCodeTemplateZh !== ''
  const template: AnySetting[] = isThere ? [] : [languages.includes('zh_CN') ? 'smsCodeTemplateZh' : 'smsCodeTemplateEn']
  if (smsProvider === 'aliyun') return ['smsKeyId', 'smsSecret', 'smsSign', ...template]
  // Tencent Cloud requires a signature in mainland China only.
  const sign: AnySetting[] = smsCountries.some((line) => line.startsWith('86')) ? ['smsSign'] : []
  return ['smsKeyId', 'smsSecret', 'smsAppId', ...sign, ...template]
}
