import type { Db } from '#base/server/database/database.ts'
import { aliyun } from '#delivery/server/aliyun.ts'
import type { Template } from '#delivery/contract.ts'
import type { Email, Provider, Text } from '#delivery/server/provider.ts'
import { smtp } from '#delivery/server/smtp.ts'
import { tencent } from '#delivery/server/tencent.ts'
import { webhook } from '#delivery/server/webhook.ts'
import { outboxOfEmails, outboxOfTexts } from '#delivery/server/outbox.ts'
import type { Language } from '#base/server/words.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** The providers' endpoints, except those in the settings. */
export type ProviderEndpoints = { aliyun: string; tencent: string }

/** No provider is chosen. */
const noProvider: Provider<unknown> = { name: 'none', send: async () => ({ is: 'unsent' }) }

/** The configured provider of e-mail. */
export async function emailProvider(db: Db): Promise<Provider<Email>> {
  const its = await setting.all(db)
  if (!setting.canSend(its, 'email')) return noProvider
  if (its.emailProvider === 'outbox') return outboxOfEmails
  const [password, key] = [await setting.unsealed(db, 'smtpPassword'), await setting.unsealed(db, 'dkimKey')]
  return smtp({
    host: its.smtpHost,
    port: its.smtpPort,
    security: its.smtpSecurity,
    user: its.smtpUser,
    password,
    name: its.title,
    from: its.emailFrom,
    dkim: its.dkimSelector && key ? { selector: its.dkimSelector, key } : null,
  })
}

/** The configured provider of text messages. */
export async function smsProvider(
  db: Db,
  about: { template: Template; language: Language },
  desks?: ProviderEndpoints,
): Promise<Provider<Text>> {
  const its = await setting.all(db)
  const { smsProvider: chosen, smsSign: sign, smsKeyId: keyId } = its
  if (!setting.canSend(its, 'sms')) return noProvider
  if (chosen === 'outbox') return outboxOfTexts
  const secret = await setting.unsealed(db, 'smsSecret')
  if (chosen === 'webhook') return webhook({ url: its.smsWebhookUrl, secret })
  const template = approved(its, about)
  if (!template) return { name: chosen, send: async () => ({ is: 'never', why: 'No template is set for it' }) }
  if (chosen === 'aliyun') return aliyun({ keyId, secret, sign, template }, desks?.aliyun)
  return tencent({ keyId, secret, appId: its.smsAppId, sign, template }, desks?.tencent)
}

type ApprovedText = 'Code' | 'Changed' | 'Password'
const changed = ['Changed', 'Password'] as const
const password = ['Password', 'Changed'] as const

/** Providers only send texts that they have approved. Staff register few, so a template without its own uses the nearest. */
const approvedTexts: Partial<Record<Template, readonly ApprovedText[]>> = {
  code: ['Code'],
  numberChanged: changed,
  numberBound: changed,
  emailChanged: changed,
  emailBound: changed,
  accountsMerged: changed,
  passwordChanged: password,
  hintChanged: password,
  secondFactorOn: password,
  secondFactorOff: password,
  recoveryCodesRenewed: password,
  passkeyAdded: password,
  passkeyRemoved: password,
  identityLinked: password,
  staffChanged: password,
  takenBack: password,
}

/** Whether a provider's approved text is sent for it. */
export function isApproved(template: Template): boolean {
  return template in approvedTexts
}

type Templates = Pick<Settings, `sms${ApprovedText}Template${'Zh' | 'En'}`>

export function approved(its: Templates, { template, language }: { template: Template; language: Language }): string {
  const named = (approvedTexts[template] ?? []).map(
    (one) => (language === 'en' && its[`sms${one}TemplateEn`]) || its[`sms${one}TemplateZh`],
  )
  return named.find((one) => one !== '') ?? ''
}
