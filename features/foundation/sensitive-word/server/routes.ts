import { route, staff } from '#base/server/http/route.ts'
import * as contract from '#sensitive-word/contract.ts'
import * as lists from '#sensitive-word/server/lists.ts'
import { screenTest } from '#sensitive-word/server/test-box.ts'
import * as words from '#sensitive-word/server/words.ts'

const manages = staff('word.manage')

export const routes = [
  route(contract.sensitiveLists, manages, ({ db }) => lists.all(db)),
  route(contract.addSensitiveList, manages, ({ db, viewer, input, client }) => lists.add(db, viewer.staff, client, input)),
  route(contract.editSensitiveList, manages, ({ db, viewer, input, client }) => lists.edit(db, viewer.staff, client, input)),
  route(contract.removeSensitiveList, manages, ({ db, viewer, input, client }) => lists.remove(db, viewer.staff, client, input.listId)),
  route(contract.sensitiveWords, manages, ({ db, input }) => words.list(db, input)),
  route(
    contract.addSensitiveWords,
    manages,
    ({ db, viewer, input, prepared, client }) => words.add(db, viewer.staff, client, { listId: input.listId, ...prepared }),
    { prepare: words.prepareAdded },
  ),
  route(contract.removeSensitiveWords, manages, ({ db, viewer, input, client }) => words.remove(db, viewer, client, input)),
  route(
    contract.importSensitiveWords,
    manages,
    ({ db, viewer, input, prepared, client }) => words.add(db, viewer.staff, client, { ...input, ...prepared }),
    { prepare: words.prepareFile, uploadBytes: contract.maxListBytes },
  ),
  route(contract.exportSensitiveWords, manages, ({ db, input }) => words.exportWords(db, input.listId)),
  route(contract.testSensitiveWords, manages, ({ db, input }) => screenTest(db, input)),
]
