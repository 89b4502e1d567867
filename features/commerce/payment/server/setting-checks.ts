import type { Refusal } from '#base/contract.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import { SandboxForOthers, SandboxNotAlone, type AnySetting, type Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** Required settings of each provider that moves money; some are sealed. */
export const neededByProvider = {
  alipay: ['alipayAppId', 'alipaySellerId', 'alipayKey', 'alipayPublicKey'],
  wechat: ['wechatPayMerchantId', 'wechatPayAppId', 'wechatPayCertificate', 'wechatPayKey', 'wechatPayV3Key'],
  stripe: ['stripeKey', 'stripeWebhookSecret'],
} as const

export const settingChecks: readonly setting.SettingCheck[] = [
  { reads: ['paymentProviders'], errorsIn: ({ settings }) => sandboxErrors(settings) },
  setting.requiredBy(
    ['paymentProviders', 'wechatPayPublicKeyId', 'wechatPayPublicKey'],
    Object.values(neededByProvider).flat(),
    ({ paymentProviders: on }, isSet) => {
      const keyed: AnySetting[] =
        isSet('wechatPayPublicKeyId') || isSet('wechatPayPublicKey') ? ['wechatPayPublicKeyId', 'wechatPayPublicKey'] : []
      return [
        ...(on.includes('alipay') ? neededByProvider.alipay : []),
        ...(on.includes('wechat') ? [...neededByProvider.wechat, ...keyed] : []),
        ...(on.includes('stripe') ? neededByProvider.stripe : []),
      ]
    },
  ),
]

function sandboxErrors({ paymentProviders }: Settings): Refusal[] {
  if (!paymentProviders.includes('sandbox')) return []
  if (paymentProviders.length > 1) return [SandboxNotAlone()]
  return isReachedFromNetwork() ? [SandboxForOthers()] : []
}
