import { randomUUID } from 'node:crypto'
import * as audit from '#audit/server/audit.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import type { Language } from '#base/server/words.ts'
import { templateNames, type Template } from '#delivery/contract.ts'
import { masked, send } from '#delivery/server/delivery.ts'
import { isApproved } from '#delivery/server/configured-provider.ts'
import { inColorScheme } from '#delivery/server/email-layout.ts'
import { asSample, sampleComposed, sampleOf } from '#delivery/server/samples.ts'
import { asEmail, requiredValuesOf, templates, valuesOf, type Wording } from '#delivery/server/templates.ts'
import { assertFormattable, defaultWording, wordingTag } from '#delivery/server/wording.ts'
import {
  languages,
  type editTemplate,
  type previewTemplate,
  type returnTemplate,
  type templateList,
  type templateView,
  type testTemplate,
} from '#delivery/template-contract.ts'
import * as setting from '#setting/server/setting.ts'

const maxHistory = 20

export async function list(db: Db): Promise<Output<typeof templateList>> {
  const rows = await db.selectFrom('delivery_template').select(['template', 'language']).where('text', 'is not', null).execute()
  return {
    templates: templateNames.map((name) => ({
      name,
      changed: languages.filter((language) => rows.some((row) => row.template === name && row.language === language)),
    })),
  }
}

export async function view(db: Db, { template }: ParsedInput<typeof templateView>): Promise<Output<typeof templateView>> {
  const rows = await db.selectFrom('delivery_template').selectAll().where('template', '=', template).execute()
  const settings = await setting.all(db)
  const { title } = settings
  const inLanguages = languages.map(async (language) => {
    const own = defaultWording(template, language)
    const row = rows.find((one) => one.language === language)
    const isChanged = row !== undefined && row.text !== null
    const now = isChanged ? { subject: row.subject ?? own.subject, text: row.text ?? own.text } : own
    const history = await historyOf(db, template, language)
    return {
      language,
      ...now,
      standard: own,
      isChanged,
      version: row?.version ?? 0,
      preview: previewOf(template, language, now, title),
      history,
    }
  })
  return {
    name: template,
    values: valuesOf(template),
    keeps: [...requiredValuesOf(template)],
    isApproved: isApproved(template),
    canTest: setting.canSend(settings, 'email'),
    inLanguages: await Promise.all(inLanguages),
  }
}

export async function preview(db: Db, input: ParsedInput<typeof previewTemplate>): Promise<Output<typeof previewTemplate>> {
  const { template, language, subject, text } = input
  assertFormattable(template, language, { subject, text })
  return previewOf(template, language, { subject, text }, (await setting.all(db)).title)
}

// A stored text that cannot be formatted is shown as the default that is sent in its place.
function previewOf(template: Template, language: Language, wording: Wording, site: string): Output<typeof previewTemplate> {
  const values = sampleOf(language)
  const composed = 'isComposed' in templates[template] ? sampleComposed(language) : null
  const filled = (words: Wording) => asEmail({ template, language, values, site, wording: words }, composed)
  const { subject, text, html } = sayable() ? filled(wording) : filled(defaultWording(template, language))
  return { subject, text, light: inColorScheme(html, 'light'), dark: inColorScheme(html, 'dark') }

  function sayable(): boolean {
    try {
      assertFormattable(template, language, wording)
      return true
    } catch {
      return false
    }
  }
}

export async function edit(tx: Db, by: StaffActor, client: ClientInfo, input: ParsedInput<typeof editTemplate>): Promise<void> {
  const { template, language, subject, text, version } = input
  assertFormattable(template, language, { subject, text })
  await change(tx, by, client, { template, language, version, action: 'delivery.edit', to: { subject, text } })
}

export async function restoreDefault(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { template, language, version }: ParsedInput<typeof returnTemplate>,
): Promise<void> {
  await change(tx, by, client, { template, language, version, action: 'delivery.return', to: defaultWording(template, language) })
}

type Change = {
  template: Template
  language: Language
  version: number
  action: 'delivery.edit' | 'delivery.return'
  to: Wording
}

async function change(tx: Db, by: StaffActor, client: ClientInfo, { template, language, version, action, to }: Change): Promise<void> {
  await tx
    .insertInto('delivery_template')
    .values({ template, language, version: 0, changed_by: by.account })
    .onConflict((there) => there.doNothing())
    .execute()
  const row = await tx
    .selectFrom('delivery_template')
    .select(['subject', 'text', 'version'])
    .where('template', '=', template)
    .where('language', '=', language)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const about = aboutOf(template, language)
  await audit.refuseIfChanged(tx, about, row.version, version)
  const own = defaultWording(template, language)
  const before = { subject: row.subject ?? own.subject, text: row.text ?? own.text }
  if (before.subject === to.subject && before.text === to.text) return
  // The default text is not stored, so that it changes with the program.
  const isOwn = own.subject === to.subject && own.text === to.text
  await tx
    .updateTable('delivery_template')
    .set({ ...(isOwn ? { subject: null, text: null } : to), version: version + 1, changed_by: by.account, changed_at: new Date() })
    .where('template', '=', template)
    .where('language', '=', language)
    .execute()
  invalidate(tx, wordingTag)
  await audit.note(tx, by, client, { action, about, before, after: to })
}

/** Sends the stored text with sample values. */
export async function test(
  tx: Db,
  viewer: Staff,
  client: ClientInfo,
  { template, language, email }: ParsedInput<typeof testTemplate>,
): Promise<void> {
  await send(tx, {
    effectKey: `test ${randomUUID()}`,
    use: 'tests',
    channel: 'email',
    to: email,
    template,
    values: asSample(sampleOf(language)),
    language,
  })
  await audit.note(tx, viewer.staff, client, { action: 'delivery.test', about: aboutOf(template, language), after: { to: masked(email) } })
}

async function historyOf(db: Db, template: Template, language: Language) {
  const actions = await audit.about(db, [aboutOf(template, language)], maxHistory)
  return actions
    .filter(({ action }) => action !== 'delivery.test')
    .map(({ at, account, before, after }) => ({ at: at.toISOString(), by: account, before: before as Wording, after: after as Wording }))
}

function aboutOf(template: Template, language: Language): string {
  return `template ${template}.${language}`
}
