import type { Language } from '#base/server/words.ts'

/** What became of one try: it is sent; nobody is there to send it; it may be later; it never will be, for the other side refuses it for good. */
export type Outcome =
  | { is: 'sent'; as: string | null }
  | { is: 'unsent' }
  | { is: 'later' | 'never'; why: string; /** Nobody has that address. */ isNobodys?: boolean }

/** One e-mail, in two forms of the same. The key is the same at each try, so that who receives it twice can tell. */
export type Email = {
  to: string
  subject: string
  text: string
  html: string
  key: string
  headers?: Readonly<Record<string, string>>
}

/** One text message: as a text, and as what a template of the provider's is filled with. */
export type Text = { to: string; text: string; template: string; values: Readonly<Record<string, string>>; language: Language; key: string }

/** One way of sending. A machine that does not answer is an error that it throws. */
export type Provider<Message> = { name: string; send(message: Message): Promise<Outcome> }
