import { sealedSettings } from './sealed-settings.ts'
import type { AnySetting, SealedSetting } from './settings.ts'

const sealed = Object.keys(sealedSettings) as SealedSetting[]

/** Write-only settings. The key of IndexNow is public to search engines, so it is not sealed. */
export const secretSettings: ReadonlySet<string> = new Set<AnySetting>(['indexNowKey', ...sealed])

/** Settings that open or close the forum, choose its storage, or are secret: a change requires a recent login. */
export const guardedSettings: ReadonlySet<string> = new Set<AnySetting>([
  'siteState',
  'supportAccessDevice',
  'allowRegistrations',
  'registrationMode',
  'allowRegisterAccountType',
  'allowLoginAccountType',
  'recoverByHint',
  'registerCaptcha',
  'registrationsPerDay',
  'staffSecondFactor',
  'administratorSecondFactor',
  'fileStorageSystem',
  'indexNowKey',
  'emailProvider',
  'smtpHost',
  'smtpSecurity',
  'smsProvider',
  'smsWebhookUrl',
  'realNameForPosting',
  'realNameProvider',
  'realNameWebhookUrl',
  ...sealed,
  'allowCash',
  'paymentProviders',
  'alipayAppId',
  'alipaySellerId',
  'alipayPublicKey',
  'wechatPayMerchantId',
  'wechatPayAppId',
  'wechatPayCertificate',
  'wechatPayPublicKeyId',
  'wechatPayPublicKey',
  'minTopUpCents',
  'maxTopUpCents',
  'maxTopUpCentsPerDay',
  'maxTopUpCentsOnFirstDay',
  'approvalThresholdPoints',
  'approvalThresholdYuan',
  'dailyApprovalThresholdPoints',
  'dailyApprovalThresholdYuan',
])
