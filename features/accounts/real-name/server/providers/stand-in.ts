import type { Checker } from '#real-name/server/providers/provider.ts'

/** For development, without a provider: names with these prefixes are another person's, or unreachable. */
export const developmentChecker: Checker = {
  name: 'standIn',
  documents: ['chineseId', 'other'],
  async check({ name }) {
    if (/^(错|Wrong)/.test(name)) return 'different'
    return /^(远|Away)/.test(name) ? 'away' : 'same'
  },
}
