import type { Feature } from '#base/server/feature.ts'
import { archive } from '#account/server/archive-parts.ts'
import { endLivingSessions } from '#account/server/end-sessions.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { jobs } from '#account/server/jobs.ts'
import { routes } from '#account/server/routes.ts'

export const feature: Feature = {
  name: 'account',
  routes,
  jobs,
  archive,
  credentials: [
    // The tokens and proofs of a session, and its push messages, end with it.
    { tables: ['session', 'access_token', 'refresh_token', 'session_proof'], end: endLivingSessions },
    // It gets nobody in: it only gives a browser a count of wrong passwords of its own.
    {
      tables: ['known_browser'],
      end: (tx, { memberId }) => knownBrowser.clear(tx, memberId),
      endsWhen: ['password changed', 'deactivated'],
    },
    { tables: ['member'], stays: 'A password and a security question are changed by their owner or reset by staff.' },
    { tables: ['register_ticket'], stays: 'It names an address that has no account yet, and expires within minutes.' },
  ],
  memberColumns: {
    'known_browser.member_id': {
      archive: 'Hashes that recognise a browser; the logins are there.',
      erase: 'delete',
      merge: 'Nobody logs in to the closed account.',
    },
    'login_log.member_id': { archive: true, erase: 'delete', merge: 'The log of the closed account.' },
    'login_ticket.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'recovery_ticket.member_id': { archive: 'A secret that lasts for minutes.', erase: 'delete', merge: 'Expires within minutes.' },
    'session.member_id': { archive: true, erase: 'delete', merge: 'Ended with the closed account.' },
  },
}
