import type { Db } from '#base/server/database.ts'
import { aliyun } from '#delivery/server/aliyun.ts'
import type { Template } from '#delivery/contract.ts'
import type { Email, Provider, Text } from '#delivery/server/provider.ts'
import { smtp } from '#delivery/server/smtp.ts'
import { tencent } from '#delivery/server/tencent.ts'
import { webhook } from '#delivery/server/webhook.ts'
import { writtenEmails, writtenTexts } from '#delivery/server/written.ts'
import type { Language } from '#base/server/words.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** Where providers are reached, but for what staff name themselves. */
export type Desks = { aliyun: string; tencent: string }

/** How e-mail is sent now, as staff have set it. */
export async function emailProvider(db: Db): Promise<Provider<Email>> {
  const { emailProvider: chosen, ...its } = await setting.all(db)
  if (chosen === 'none') return writtenEmails
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

/** The same of text messages. */
export async function smsProvider(db: Db, about: { template: Template; language: Language }, desks?: Desks): Promise<Provider<Text>> {
  const { smsProvider: chosen, smsSign: sign, smsKeyId: keyId, ...its } = await setting.all(db)
  if (chosen === 'none') return writtenTexts
  const secret = await setting.unsealed(db, 'smsSecret')
  if (chosen === 'webhook') return webhook({ url: its.smsWebhookUrl, secret })
  const template = approved(its, about)
  if (!template) return { name: chosen, send: async () => ({ is: 'never', why: 'No template is set for it' }) }
  if (chosen === 'aliyun') return aliyun({ keyId, secret, sign, template }, desks?.aliyun)
  return tencent({ keyId, secret, appId: its.smsAppId, sign, template }, desks?.tencent)
}

/** Whether staff name a text of a provider's for it. */
export function isApproved(template: Template): boolean {
  return ['code', 'numberChanged', 'passwordChanged'].includes(template)
}

// What a provider sends, it has approved before.
export function approved(its: Templates, { template, language }: { template: Template; language: Language }): string {
  if (template === 'code') return (language === 'en' && its.smsCodeTemplateEn) || its.smsCodeTemplateZh
  if (template === 'numberChanged') return (language === 'en' && its.smsChangedTemplateEn) || its.smsChangedTemplateZh
  if (template === 'passwordChanged') return (language === 'en' && its.smsPasswordTemplateEn) || its.smsPasswordTemplateZh
  return ''
}

type Templates = Pick<Settings, `sms${'Code' | 'Changed' | 'Password'}Template${'Zh' | 'En'}`>
