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
import { setNow } from '#setting/server/sealed.ts'
import { hasModelOn } from '#setting/server/has-model.ts'
import { mayKeep, sends } from '#setting/server/sends.ts'
import { stored } from '#setting/server/stored.ts'

type Around = { settings: Settings; isSet: (name: AnySetting) => boolean; hasModel: boolean }

/** A check across settings: the settings it reads, and its errors. */
type CrossCheck = { reads: readonly AnySetting[]; wrong(around: Around): Refusal[] }

let hasStore = false

/** Called at startup: whether the environment configures an object storage. */
export function tellOfStore(isNamed: boolean): void {
  hasStore = isNamed
}

/** Refuses invalid combinations, each at its field. A change is not refused for an earlier fault of other settings. */
export async function checkTogether(tx: Db, changed: readonly string[]): Promise<void> {
  const checks = crossChecks.filter(({ reads }) => reads.some((name) => changed.includes(name)))
  throwAll(await wrongIn(tx, checks))
}

/** All invalid combinations among the stored settings. */
export function wrongTogether(db: Db): Promise<Refusal[]> {
  return wrongIn(db, crossChecks)
}

async function wrongIn(db: Db, checks: readonly CrossCheck[]): Promise<Refusal[]> {
  if (checks.length === 0) return []
  const [settings, isSet, hasModel] = await Promise.all([stored(db), whatIsSet(db), hasModelOn(db)])
  return checks.flatMap((check) => check.wrong({ settings, isSet, hasModel }))
}

/** The settings with a value, including sealed ones. */
export async function whatIsSet(db: Db): Promise<Around['isSet']> {
  const [settings, sealed] = await Promise.all([stored(db), setNow(db)])
  return (name) => sealed.has(name) || Boolean((settings as Partial<Record<AnySetting, unknown>>)[name])
}

const crossChecks: readonly CrossCheck[] = [
  {
    reads: ['languages', 'defaultLanguage'],
    wrong: ({ settings: { languages, defaultLanguage } }) =>
      defaultLanguage && !languages.includes(defaultLanguage) ? [LanguageNotOffered()] : [],
  },
  {
    reads: ['fileStorageSystem'],
    wrong: ({ settings }) => (settings.fileStorageSystem !== 0 && !hasStore ? [NoStoreNamed()] : []),
  },
  {
    reads: ['realNameForPosting', 'identityChecker'],
    wrong: ({ settings }) => (settings.realNameForPosting === 'identity' && !checksIdentities(settings) ? [NoChecker()] : []),
  },
  { reads: ['realNameForPosting', 'identityChecker'], wrong: ({ settings }) => (lacksTexts(settings) ? [NoTextsForPosting()] : []) },
  { reads: ['smsProvider'], wrong: ({ settings }) => (lacksTexts(settings) ? [TextsNeededForPosting()] : []) },
  outbox('emailProvider'),
  outbox('smsProvider'),
  needs(['emailProvider', 'smtpUser', 'dkimSelector', 'dkimKey'], ['smtpHost', 'emailFrom', 'smtpPassword'], (its, isSet) => {
    if (its.emailProvider !== 'smtp') return []
    const account: AnySetting[] = isSet('smtpUser') ? ['smtpPassword'] : []
    const signed: AnySetting[] = isSet('dkimSelector') || isSet('dkimKey') ? ['dkimSelector', 'dkimKey'] : []
    return ['smtpHost', 'emailFrom', ...account, ...signed]
  }),
  needs(
    ['smsProvider', 'smsCountries'],
    ['smsWebhookUrl', 'smsSecret', 'smsKeyId', 'smsAppId', 'smsSign', 'smsCodeTemplateZh', 'smsCodeTemplateEn'],
    neededForSms,
  ),
  needs(['identityChecker'], ['identityWebhookUrl', 'identityKeyId', 'identitySecret'], ({ identityChecker }) => {
    if (identityChecker === 'webhook') return ['identityWebhookUrl', 'identitySecret']
    return identityChecker === 'aliyun' ? ['identityKeyId', 'identitySecret'] : []
  }),
  { reads: ['paymentProviders'], wrong: ({ settings }) => sandboxWrong(settings) },
  { reads: ['allowAssistant'], wrong: ({ settings, hasModel }) => (settings.allowAssistant && !hasModel ? [NoModelOn()] : []) },
  needs(['paymentProviders', 'wechatPayPublicKeyId', 'wechatPayPublicKey'], Object.values(neededByProvider).flat(), neededForPayment),
  inOrder('minTopUpCents', 'maxTopUpCents'),
  inOrder('bountyLeastPoints', 'bountyMostPoints'),
  inOrder('bountyLeastCents', 'bountyMostCents'),
  inOrder('bountyShortestDays', 'bountyLongestDays'),
]

function checksIdentities({ identityChecker }: Settings): boolean {
  return identityChecker !== 'none' && (identityChecker !== 'standIn' || isDevelopment())
}

function sandboxWrong({ paymentProviders }: Settings): Refusal[] {
  if (!paymentProviders.includes('sandbox')) return []
  if (paymentProviders.length > 1) return [SandboxNotAlone()]
  return isReachedFromNetwork() ? [SandboxForOthers()] : []
}

// A phone number is bound by a code. A verified identity needs none.
function lacksTexts(settings: Settings): boolean {
  return settings.realNameForPosting === 'phone' && !sends(settings, 'sms') && !checksIdentities(settings)
}

/** The outbox is in the memory of this machine, readable only on it. */
function outbox(name: 'emailProvider' | 'smsProvider'): CrossCheck {
  return {
    reads: [name],
    wrong: ({ settings }) => (settings[name] === 'outbox' && !mayKeep() ? [refusalAt(name, OutboxForOthers)()] : []),
  }
}

/** A choice that requires other settings. */
function needs(
  choices: readonly AnySetting[],
  others: readonly AnySetting[],
  needed: (its: Settings, isSet: Around['isSet']) => readonly AnySetting[],
): CrossCheck {
  return {
    reads: [...choices, ...others],
    wrong: ({ settings, isSet }) =>
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

function neededForPayment({ paymentProviders: on }: Settings, isSet: Around['isSet']): readonly AnySetting[] {
  const keyed: AnySetting[] =
    isSet('wechatPayPublicKeyId') || isSet('wechatPayPublicKey') ? ['wechatPayPublicKeyId', 'wechatPayPublicKey'] : []
  return [
    ...(on.includes('alipay') ? neededByProvider.alipay : []),
    ...(on.includes('wechat') ? [...neededByProvider.wechat, ...keyed] : []),
    ...(on.includes('stripe') ? neededByProvider.stripe : []),
  ]
}

type Counted = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

/** A minimum and a maximum; a maximum of 0 turns the function off. */
function inOrder(least: Counted, most: Counted): CrossCheck {
  return {
    reads: [least, most],
    wrong: ({ settings }) =>
      settings[most] !== 0 && settings[least] > settings[most] ? [refusalAt(least, MoreThanMost)({ most: settings[most] })] : [],
  }
}
