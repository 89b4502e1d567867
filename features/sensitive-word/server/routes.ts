import { on, staff } from '#base/server/route.ts'
import * as contract from '#sensitive-word/contract.ts'
import * as lists from '#sensitive-word/server/lists.ts'
import { tried } from '#sensitive-word/server/test-box.ts'
import * as words from '#sensitive-word/server/words.ts'

const manages = staff('word.manage')

export const routes = [
  on(contract.sensitiveLists, manages, ({ db }) => lists.all(db)),
  on(contract.addSensitiveList, manages, ({ db, viewer, input, from }) => lists.add(db, viewer.staff, from, input)),
  on(contract.editSensitiveList, manages, async ({ db, viewer, input, from }) => {
    await lists.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(contract.removeSensitiveList, manages, async ({ db, viewer, input, from }) => {
    await lists.remove(db, viewer.staff, from, input.listId)
    return {}
  }),
  on(contract.sensitiveWords, manages, ({ db, input }) => words.list(db, input)),
  on(
    contract.addSensitiveWords,
    manages,
    ({ db, viewer, input, prepared, from }) => words.add(db, viewer.staff, from, { listId: input.listId, ...prepared }),
    { prepare: words.prepareAdded },
  ),
  on(contract.removeSensitiveWords, manages, async ({ db, viewer, input, from }) => {
    await words.remove(db, viewer, from, input)
    return {}
  }),
  on(
    contract.importSensitiveWords,
    manages,
    ({ db, viewer, input, prepared, from }) => words.add(db, viewer.staff, from, { ...input, ...prepared }),
    { prepare: words.prepareFile, uploadBytes: contract.largestList },
  ),
  on(contract.exportSensitiveWords, manages, ({ db, input }) => words.exported(db, input.listId)),
  on(contract.testSensitiveWords, manages, ({ db, input }) => tried(db, input)),
]
