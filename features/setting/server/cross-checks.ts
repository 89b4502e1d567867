import { refusalAt, throwAll, type Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isDevelopment } from '#base/server/development.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import {
  LanguageNotOffered,
  MoreThanMost,
  NeededByProvider,
  NoChecker,
  NoModelOn,
  NoStoreNamed,
  NoTextsForPosting,
  OutboxForOthers,
  SandboxForOthers,
  SandboxNotAlone,
  TextsNeededForPosting,
  type AnySetting,
  type Settings,
} from '#setting/contract.ts'
import { neededByProvider } from '#setting/payment-settings.ts'
import { secretsSet } from '#setting/server/sealed.ts'
import { hasModelOn } from '#setting/server/has-model.ts'
import { mayUseOutbox, canSend } from '#setting/server/code-channels.ts'
import { stored } from '#setting/server/stored.ts'

type CheckContext = { settings: Settings; isSet: (name: AnySetting) => boolean; hasModel: boolean }

/** A check across settings: the settings it reads, and its errors. */
type CrossCheck = { reads: readonly AnySetting[]; errorsIn(context: CheckContext): Refusal[] }

let hasStore = false

/** Called at startup: whether the environment configures an object storage. */
export function setHasStore(isNamed: boolean): void {
  hasStore = isNamed
}

/** Refuses invalid combinations, each at its field. A change is not refused for an earlier fault of other settings. */
export async function crossCheck(tx: Db, changed: readonly string[]): Promise<void> {
  const checks = crossChecks.filter(({ reads }) => reads.some((name) => changed.includes(name)))
  throwAll(await failuresOf(tx, checks))
}

/** All invalid combinations among the stored settings. */
export function crossCheckErrors(db: Db): Promise<Refusal[]> {
  return failuresOf(db, crossChecks)
}

async function failuresOf(db: Db, checks: readonly CrossCheck[]): Promise<Refusal[]> {
  if (checks.length === 0) return []
  const [settings, isSet, hasModel] = await Promise.all([stored(db), isSetNow(db), hasModelOn(db)])
  return checks.flatMap((check) => check.errorsIn({ settings, isSet, hasModel }))
}

/** The settings with a value, including sealed ones. */
export async function isSetNow(db: Db): Promise<CheckContext['isSet']> {
  const [settings, sealed] = await Promise.all([stored(db), secretsSet(db)])
  return (name) => sealed.has(name) || Boolean((settings as Partial<Record<AnySetting, unknown>>)[name])
}

const crossChecks: readonly CrossCheck[] = [
  {
    reads: ['languages', 'defaultLanguage'],
    errorsIn: ({ settings: { languages, defaultLanguage } }) =>
      defaultLanguage && !languages.includes(defaultLanguage) ? [LanguageNotOffered()] : [],
  },
  {
    reads: ['fileStorageSystem'],
    errorsIn: ({ settings }) => (settings.fileStorageSystem !== 0 && !hasStore ? [NoStoreNamed()] : []),
  },
  {
    reads: ['realNameForPosting', 'realNameProvider'],
    errorsIn: ({ settings }) => (settings.realNameForPosting === 'identity' && !checksIdentities(settings) ? [NoChecker()] : []),
  },
  { reads: ['realNameForPosting', 'realNameProvider'], errorsIn: ({ settings }) => (lacksTexts(settings) ? [NoTextsForPosting()] : []) },
  { reads: ['smsProvider'], errorsIn: ({ settings }) => (lacksTexts(settings) ? [TextsNeededForPosting()] : []) },
  outboxCheck('emailProvider'),
  outboxCheck('smsProvider'),
  requiredBy(['emailProvider', 'smtpUser', 'dkimSelector', 'dkimKey'], ['smtpHost', 'emailFrom', 'smtpPassword'], (its, isSet) => {
    if (its.emailProvider !== 'smtp') return []
    const account: AnySetting[] = isSet('smtpUser') ? ['smtpPassword'] : []
    const signed: AnySetting[] = isSet('dkimSelector') || isSet('dkimKey') ? ['dkimSelector', 'dkimKey'] : []
    return ['smtpHost', 'emailFrom', ...account, ...signed]
  }),
  requiredBy(
    ['smsProvider', 'smsCountries'],
    ['smsWebhookUrl', 'smsSecret', 'smsKeyId', 'smsAppId', 'smsSign', 'smsCodeTemplateZh', 'smsCodeTemplateEn'],
    neededForSms,
  ),
  requiredBy(['realNameProvider'], ['realNameWebhookUrl', 'realNameKeyId', 'realNameSecret'], ({ realNameProvider }) => {
    if (realNameProvider === 'webhook') return ['realNameWebhookUrl', 'realNameSecret']
    return realNameProvider === 'aliyun' ? ['realNameKeyId', 'realNameSecret'] : []
  }),
  { reads: ['paymentProviders'], errorsIn: ({ settings }) => sandboxErrors(settings) },
  { reads: ['allowAssistant'], errorsIn: ({ settings, hasModel }) => (settings.allowAssistant && !hasModel ? [NoModelOn()] : []) },
  requiredBy(['paymentProviders', 'wechatPayPublicKeyId', 'wechatPayPublicKey'], Object.values(neededByProvider).flat(), neededForPayment),
  minBelowMax('minTopUpCents', 'maxTopUpCents'),
  minBelowMax('minBountyPoints', 'maxBountyPoints'),
  minBelowMax('minBountyCents', 'maxBountyCents'),
  minBelowMax('minBountyDays', 'maxBountyDays'),
]

function checksIdentities({ realNameProvider }: Settings): boolean {
  return realNameProvider !== 'none' && (realNameProvider !== 'standIn' || isDevelopment())
}

function sandboxErrors({ paymentProviders }: Settings): Refusal[] {
  if (!paymentProviders.includes('sandbox')) return []
  if (paymentProviders.length > 1) return [SandboxNotAlone()]
  return isReachedFromNetwork() ? [SandboxForOthers()] : []
}

// A phone number is bound by a code. A verified identity needs none.
function lacksTexts(settings: Settings): boolean {
  return settings.realNameForPosting === 'phone' && !canSend(settings, 'sms') && !checksIdentities(settings)
}

/** The outbox is in the memory of this machine, readable only on it. */
function outboxCheck(name: 'emailProvider' | 'smsProvider'): CrossCheck {
  return {
    reads: [name],
    errorsIn: ({ settings }) => (settings[name] === 'outbox' && !mayUseOutbox() ? [refusalAt(name, OutboxForOthers)()] : []),
  }
}

/** A choice that requires other settings. */
function requiredBy(
  choices: readonly AnySetting[],
  others: readonly AnySetting[],
  needed: (its: Settings, isSet: CheckContext['isSet']) => readonly AnySetting[],
): CrossCheck {
  return {
    reads: [...choices, ...others],
    errorsIn: ({ settings, isSet }) =>
      needed(settings, isSet)
        .filter((name) => !isSet(name))
        .map((name) => refusalAt(name, NeededByProvider)()),
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

function neededForPayment({ paymentProviders: on }: Settings, isSet: CheckContext['isSet']): readonly AnySetting[] {
  const keyed: AnySetting[] =
    isSet('wechatPayPublicKeyId') || isSet('wechatPayPublicKey') ? ['wechatPayPublicKeyId', 'wechatPayPublicKey'] : []
  return [
    ...(on.includes('alipay') ? neededByProvider.alipay : []),
    ...(on.includes('wechat') ? [...neededByProvider.wechat, ...keyed] : []),
    ...(on.includes('stripe') ? neededByProvider.stripe : []),
  ]
}

type NumericSetting = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

/** A minimum and a maximum; a maximum of 0 turns the function off. */
function minBelowMax(min: NumericSetting, max: NumericSetting): CrossCheck {
  return {
    reads: [min, max],
    errorsIn: ({ settings }) =>
      settings[max] !== 0 && settings[min] > settings[max] ? [refusalAt(min, MoreThanMost)({ most: settings[max] })] : [],
  }
}
