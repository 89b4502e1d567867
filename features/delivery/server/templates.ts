import { escapeHtml } from '#base/escape.ts'
import { say, type Language } from '#base/server/words.ts'
import type { Email } from '#delivery/server/provider.ts'

/** What each says, by the keys of its words, and what is filled in. */
export const templates = {
  code: { subject: 'delivery.codeSubject', text: 'delivery.codeText' },
  numberChanged: { subject: 'delivery.numberChangedSubject', text: 'delivery.numberChangedText' },
  emailChanged: { subject: 'delivery.emailChangedSubject', text: 'delivery.emailChangedText' },
  passwordChanged: { subject: 'delivery.passwordChangedSubject', text: 'delivery.passwordChangedText' },
  dataReady: { subject: 'delivery.dataReadySubject', text: 'delivery.dataReadyText' },
  leavingBegun: { subject: 'delivery.leavingBegunSubject', text: 'delivery.leavingBegunText' },
  leavingDone: { subject: 'delivery.leavingDoneSubject', text: 'delivery.leavingDoneText' },
  secondFactorOn: { subject: 'delivery.secondFactorOnSubject', text: 'delivery.secondFactorOnText' },
  secondFactorOff: { subject: 'delivery.secondFactorOffSubject', text: 'delivery.secondFactorOffText' },
  passkeyAdded: { subject: 'delivery.passkeyAddedSubject', text: 'delivery.passkeyAddedText' },
  newLogin: { subject: 'delivery.newLoginSubject', text: 'delivery.newLoginText' },
  numberBound: { subject: 'delivery.numberBoundSubject', text: 'delivery.numberBoundText' },
  emailBound: { subject: 'delivery.emailBoundSubject', text: 'delivery.emailBoundText' },
  hintChanged: { subject: 'delivery.hintChangedSubject', text: 'delivery.hintChangedText' },
  takeBack: { subject: 'delivery.takeBackSubject', text: 'delivery.takeBackText' },
  takenBack: { subject: 'delivery.takenBackSubject', text: 'delivery.takenBackText' },
  joiningApproved: { subject: 'delivery.joiningApprovedSubject', text: 'delivery.joiningApprovedText' },
  joiningRefused: { subject: 'delivery.joiningRefusedSubject', text: 'delivery.joiningRefusedText' },
  test: { subject: 'delivery.testSubject', text: 'delivery.testText' },
} as const

export type Template = keyof typeof templates
export type Values = Readonly<Record<string, string>>

type Filled = { template: Template; language: Language; values: Values; site: string }

/** What a text message says, as one line. */
export function asText({ template, language, values, site }: Filled): string {
  return say(language, templates[template].text, { ...values, site }).replace(/\s+/g, ' ')
}

/** An e-mail in two forms of the same words. Nothing in it comes from elsewhere. */
export function asEmail({ template, language, values, site }: Filled): Pick<Email, 'subject' | 'text' | 'html'> {
  const subject = say(language, templates[template].subject, { ...values, site })
  const paragraphs = [say(language, templates[template].text, { ...values, site }), say(language, 'delivery.notMine')]
  return { subject, text: `${paragraphs.join('\n\n')}\n\n${site}\n`, html: pageOf(language, subject, [...paragraphs, site]) }
}

function pageOf(language: Language, subject: string, paragraphs: readonly string[]): string {
  const shown = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font: 16px/1.6 sans-serif; max-width: 36em; margin: 1.5em auto; padding: 0 1em">
${shown}
</body>
</html>
`
}
