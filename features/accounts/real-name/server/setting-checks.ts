import { documentsFor } from '#real-name/server/configured-provider.ts'
import { NoChecker, NoTextsForPosting, TextsNeededForPosting, type Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

export const settingChecks: readonly setting.SettingCheck[] = [
  {
    reads: ['realNameForPosting', 'realNameProvider'],
    errorsIn: ({ settings }) => (settings.realNameForPosting === 'identity' && !checksIdentities(settings) ? [NoChecker()] : []),
  },
  { reads: ['realNameForPosting', 'realNameProvider'], errorsIn: ({ settings }) => (lacksTexts(settings) ? [NoTextsForPosting()] : []) },
  { reads: ['smsProvider'], errorsIn: ({ settings }) => (lacksTexts(settings) ? [TextsNeededForPosting()] : []) },
  setting.requiredBy(['realNameProvider'], ['realNameWebhookUrl', 'realNameKeyId', 'realNameSecret'], ({ realNameProvider }) => {
    if (realNameProvider === 'webhook') return ['realNameWebhookUrl', 'realNameSecret']
    return realNameProvider === 'aliyun' ? ['realNameKeyId', 'realNameSecret'] : []
  }),
]

// A phone number is bound by a code. A verified identity needs none.
function lacksTexts(settings: Settings): boolean {
  return settings.realNameForPosting === 'phone' && !setting.canSend(settings, 'sms') && !checksIdentities(settings)
}

function checksIdentities(settings: Settings): boolean {
  return documentsFor(settings).length > 0
}
