import type { Language } from '#base/server/words.ts'

/** The result of one attempt: sent; no provider; a temporary failure; a permanent refusal. */
export type Outcome =
  | { is: 'sent'; as: string | null }
  | { is: 'unsent' }
  | { is: 'later' | 'never'; why: string; /** The address does not exist. */ isUnknownAddress?: boolean }

/** One e-mail, as text and as HTML. The key is the same for each attempt, so that the receiver can deduplicate. */
export type Email = {
  to: string
  subject: string
  text: string
  html: string
  key: string
  headers?: Readonly<Record<string, string>>
}

/** One text message: as a text, and as the values of a provider's template. */
export type Text = { to: string; text: string; template: string; values: Readonly<Record<string, string>>; language: Language; key: string }

/** A channel's provider. Throws if it does not answer. */
export type Provider<Message> = { name: string; send(message: Message): Promise<Outcome> }
