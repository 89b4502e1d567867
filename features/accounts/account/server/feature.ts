import type { Feature } from '#base/server/feature.ts'
import { archive } from '#account/server/archive-parts.ts'
import { jobs } from '#account/server/jobs.ts'
import { routes } from '#account/server/routes.ts'

export const feature: Feature = {
  name: 'account',
  routes,
  jobs,
  archive,
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
