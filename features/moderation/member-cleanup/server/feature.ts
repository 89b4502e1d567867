import type { Feature } from '#base/server/feature.ts'
import { jobs } from '#member-cleanup/server/jobs.ts'
import { routes } from '#member-cleanup/server/routes.ts'

const cleanup = { stays: 'The record of a removal, by which its undo finds the post.' }

export const feature: Feature = {
  name: 'member-cleanup',
  routes,
  jobs,
  memberColumns: {
    'member_cleanup.member_id': {
      archive: 'A decision of staff; the posts it removed are there.',
      erase: 'A decision of staff.',
      merge: 'Transferred as the merging begins.',
    },
    'member_merge.from_id': { archive: 'A decision of staff.', erase: 'A decision of staff.', merge: 'The merging itself.' },
    'member_merge.into_id': { archive: 'A decision of staff.', erase: 'A decision of staff.', merge: 'The merging itself.' },
  },
  postReferences: {
    'member_cleanup_item.post_id': { erased: cleanup, became: cleanup },
    'member_cleanup_item.topic_id': { erased: cleanup, moved: cleanup, merged: cleanup },
  },
}
