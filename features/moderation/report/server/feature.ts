import { sql } from 'kysely'
import type { Feature } from '#base/server/feature.ts'
import { memberErased, postErased } from '#report/server/erased.ts'
import { archive } from '#report/server/archive-parts.ts'
import { routes } from '#report/server/routes.ts'

// A post that both reported keeps one report of the two.
const isReportedByBoth = ({ into }: { into: string }) =>
  sql<boolean>`exists (select from report as theirs where theirs.case_id = report.case_id and theirs.reporter_id = ${into})`

export const feature: Feature = {
  name: 'report',
  routes,
  archive,
  memberColumns: {
    'removal.author_id': { archive: true, erase: 'A decision of staff.', merge: 'move' },
    'removal.removed_by_member': { archive: 'The member of staff who decided.', erase: 'A decision of staff.', merge: 'move' },
    'report.reporter_id': { archive: true, erase: 'A decision of staff.', merge: 'move', mergeUnless: isReportedByBoth },
    'report_case.author_id': {
      archive: 'The reported member is not told by whom; the outcome is among the removals.',
      erase: 'A decision of staff.',
      merge: 'move',
    },
  },
  postColumns: {
    'removal.comment_id': 'moment',
    'removal.topic_id': 'moment',
    'removal.reply_id': 'moment',
    'report_case.comment_id': 'moment',
    'report_case.topic_id': 'moment',
    'report_case.reply_id': 'moment',
  },
  moments: { memberErased, postErased },
}
