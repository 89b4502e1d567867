import type { Email, Outcome, Provider, Text } from '#delivery/server/provider.ts'

export type Written = { to: string; subject: string | null; text: string; at: Date }

const mostKept = 50
const kept: Written[] = []

/** Where no provider is set, nothing leaves the server: this process keeps the newest in memory, for those who sit at the machine. */
export const writtenEmails: Provider<Email> = {
  name: 'none',
  async send({ to, subject, text }) {
    return keep({ to, subject, text, at: new Date() })
  },
}

export const writtenTexts: Provider<Text> = {
  name: 'none',
  async send({ to, text }) {
    return keep({ to, subject: null, text, at: new Date() })
  },
}

/** The newest first. */
export function written(): readonly Written[] {
  return kept.toReversed()
}

function keep(one: Written): Outcome {
  kept.push(one)
  kept.splice(0, kept.length - mostKept)
  return { is: 'unsent' }
}
