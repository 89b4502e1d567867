import { lazyPackage } from '#base/server/lazy-package.ts'
import { withDeadline } from '#base/server/outbound/deadline.ts'
import type { Email, Outcome, Provider } from '#delivery/server/provider.ts'

const nodemailer = lazyPackage((load) => load('nodemailer') as typeof import('nodemailer'))

export type Server = {
  host: string
  port: number
  security: 'tls' | 'startTls' | 'none'
  user: string
  password: string
  /** The sender. */
  name: string
  from: string
  dkim: { selector: string; key: string } | null
}

// RFC 8058 asks that both headers of one-click unsubscribing are signed.
const signedHeaders =
  'From:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** Any mail server. One e-mail has a minute, however often the server sends something within it. */
export function smtp({ host, port, security, user, password, name, from, dkim }: Server, longestMs = 60_000): Provider<Email> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const transport = nodemailer().createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'startTls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass: password } }),
    ...(dkim && { dkim: { domainName: domain, keySelector: dkim.selector, privateKey: dkim.key, headerFieldNames: signedHeaders } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
  return {
    name: 'smtp',
    async send({ to, subject, text, html, key, headers }) {
      if (!host || !from) return { is: 'later', why: 'No mail server or no sender is set' }
      try {
        const message = {
          from: { name: oneLine(name), address: from },
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${key}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        }
        const sent = await withDeadline(longestMs, (signal) => transport.sendMail({ ...message, signal }))
        return { is: 'sent', as: sent.messageId }
      } catch (error) {
        return outcomeOf(error)
      } finally {
        transport.close()
      }
    },
  }
}

// A 5xx reply is permanent, except for the password, which staff may correct.
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Error)) throw error
  const { code, responseCode, command } = error as Error & { code?: string; responseCode?: number; command?: string }
  const isForGood = code !== 'EAUTH' && (command === 'RCPT TO' || command === 'DATA') && (responseCode ?? 0) >= 500
  // 5.7 is about the sender, and 5.3 and 5.4 about the machine.
  const isNobodys = isForGood && command === 'RCPT TO' && !/\b5\.[347]\.\d/.test(error.message)
  return { is: isForGood ? 'never' : 'later', why: oneLine(error.message), isUnknownAddress: isNobodys }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
