import type { Feature } from '#base/server/feature.ts'
import { memberErased, postBecame, postErased, wordColumns } from '#review/server/moments.ts'
import { archive } from '#review/server/archive-parts.ts'
import { routes } from '#review/server/routes.ts'
import { bulkTargets } from '#review/server/bulk-actions.ts'

export const feature: Feature = {
  name: 'review',
  routes,
  bulkTargets,
  archive,
  memberColumns: {
    'review.author_id': { archive: true, erase: 'A decision of staff; the text goes with the posts.', merge: 'move' },
    'review.edited_by': { archive: 'The member of staff who decided.', erase: 'A decision of staff.', merge: 'A decision of staff.' },
  },
  postReferences: {
    'review.post_id': { erased: { blanks: wordColumns }, became: 'moves' },
    'review.topic_id': { erased: { blanks: wordColumns }, moved: 'call', merged: { stays: 'The opening becomes a comment.' } },
  },
  moments: { memberErased, postBecame, postErased },
}
