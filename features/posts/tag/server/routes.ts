import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#tag/contract.ts'
import { idsToPublishIn, list } from '#tag/server/list.ts'
import * as manage from '#tag/server/manage.ts'
import * as picture from '#tag/server/picture.ts'

const manages = staff('tag.manage')

export const routes = [
  route(contract.listTags, anyone, async ({ db, viewer }) => ({ tags: await list(db, viewer) }), {
    cacheTags: () => ['tags', 'tagCounts'],
  }),
  route(contract.tagsForStaff, manages, ({ db }) => manage.all(db)),
  route(contract.addTag, manages, ({ db, viewer, client, input }) => manage.add(db, viewer, client, input)),
  route(contract.editTag, manages, ({ db, viewer, client, input }) => manage.edit(db, viewer, client, input)),
  route(contract.uploadTagPicture, manages, ({ db, viewer, prepared }) => picture.add(db, viewer, prepared), {
    uploadBytes: picture.largestBytes,
    limits: [{ times: 30, seconds: 60, by: 'member' }],
    prepare: picture.store,
  }),
  route(contract.sortTags, manages, ({ db, viewer, client, input }) => manage.sort(db, viewer.staff, client, input.tagIds)),
  route(contract.myTags, members, ({ db, viewer }) => idsToPublishIn(db, viewer)),
]
