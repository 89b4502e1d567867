import { sql } from 'kysely'
import type { Feature } from '#base/server/feature.ts'
import { memberErased, postBecame, postErased } from '#report/server/moments.ts'
import { archive } from '#report/server/archive-parts.ts'
import { routes } from '#report/server/routes.ts'

// A post that both reported keeps one report of the two.
const isReportedByBoth = ({ into }: { into: string }) =>
  sql<boolean>`exists (select from report as theirs where theirs.case_id = report.case_id and theirs.reporter_id = ${into})`

const blanked = { blanks: ['title', 'excerpt'] }

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
  postReferences: {
    'report_case.thing_id': { erased: blanked, became: 'moves' },
    'report_case.topic_id': { erased: blanked, merged: { stays: 'The case is of a post, which goes on as one of the other thread.' } },
    'report_case.comment_id': { erased: blanked, became: 'moves' },
    'report_case.reply_id': { erased: blanked },
    'removal.thing_id': { erased: blanked, became: 'moves' },
    'removal.topic_id': {
      erased: blanked,
      moved: { stays: 'The case of a removed post: the old address leads on.' },
      merged: { stays: 'The case is of a post, which goes on as one of the other thread.' },
    },
    'removal.comment_id': { erased: blanked, became: 'moves' },
    'removal.reply_id': { erased: blanked },
  },
  moments: { memberErased, postBecame, postErased },
}
