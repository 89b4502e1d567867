import { sealedSettings } from './sealed-settings.ts'
import type { AnySetting, SealedSetting } from './settings.ts'

const sealed = Object.keys(sealedSettings) as SealedSetting[]

/** What staff may set and nobody reads again. The key of IndexNow is to be found by search engines, so it is not sealed. */
export const secretSettings: ReadonlySet<string> = new Set<AnySetting>(['indexNowKey', ...sealed])

/** What opens the forum to anybody or closes it to all, where its files lie, and what is secret: to change it one shows anew that it is oneself. */
export const guardedSettings: ReadonlySet<string> = new Set<AnySetting>([
  'siteState',
  'supportAccessDevice',
  'allowRegistrations',
  'registrationMode',
  'allowRegisterAccountType',
  'allowLoginAccountType',
  'recoverByHint',
  'registerCaptcha',
  'registrationsADay',
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
  'identityChecker',
  'identityWebhookUrl',
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
  'pointsAlone',
  'yuanAlone',
  'dailyApprovalThresholdPoints',
  'dailyApprovalThresholdYuan',
])
