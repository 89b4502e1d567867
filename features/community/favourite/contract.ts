import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plainString, plainLine } from '#base/plain-text.ts'
import { threadKinds } from '#kind/contract.ts'
import { AuthorView } from '#user/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'

export const FolderGone = refusal('favourite.folderGone', { field: 'folderId' })
export const FolderThere = refusal('favourite.folderThere', { field: 'name' })
export const TooManyFolders = refusal('favourite.tooManyFolders', { field: 'name' })

export const maxFolders = 100
export const longest = { name: 40, note: 500 } as const

const topicId = id
const name = plainLine.min(1).max(longest.name)
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

/** `count` includes threads that the viewer may no longer see. */
export const FolderView = z.object({ id: z.string(), name: z.string(), isPublic: z.boolean(), count: z.number() })
export type FolderView = z.infer<typeof FolderView>

export const addFavourite = write('/favourite/add', {
  summary: 'Adds a topic or a question to the member’s favourites. Idempotent.',
  input: z.object({ topicId }),
  output: nothing,
})

export const editFavourite = write('/favourite/edit', {
  summary: 'Moves a favourite into a folder, or out of all folders without one, and sets its private note.',
  input: z.object({ topicId, folderId: id.optional(), note: plainString.max(longest.note).default('') }),
  output: nothing,
  errors: [FolderGone],
})

export const removeFavourite = write('/favourite/remove', {
  summary: 'Removes a topic from the member’s favourites, with its note.',
  input: z.object({ topicId }),
  output: nothing,
})

export const favouriteForm = read('/favourite/form', {
  summary: 'The member’s folders, with the folder and the note of a given favourite.',
  input: z.object({ topicId }),
  output: z.object({ folders: z.array(FolderView), folderId: z.string().nullable(), note: z.string() }),
})

export const addFolder = write('/favourite/addFolder', {
  summary: 'Adds a folder for favourites. The content of a public folder is visible to everybody.',
  input: z.object({ name, isPublic: z.boolean().default(false) }),
  output: z.object({ folderId: z.string() }),
  errors: [FolderThere, TooManyFolders, WordsInField],
})

export const editFolder = write('/favourite/editFolder', {
  summary: 'Renames one of the member’s folders, or makes it public or private.',
  input: z.object({ folderId: id, name, isPublic: z.boolean().default(false) }),
  output: nothing,
  errors: [FolderGone, FolderThere, WordsInField],
})

export const removeFolder = write('/favourite/removeFolder', {
  summary: 'Removes one of the member’s folders. Its favourites stay, without a folder.',
  input: z.object({ folderId: id }),
  output: nothing,
})

export const favouriteList = read('/user/control/favoriteList', {
  summary: 'The member’s favourites, newest first, or those in the public folders of another member.',
  input: z.object({ userId: id.optional(), folderId: id.optional(), page: page.default(1) }),
  output: z.object({
    user: AuthorView,
    folders: z.array(FolderView),
    favourites: z.array(
      z.object({
        topicId: z.string(),
        /** Null if it was removed or the viewer may not see it. */
        topic: z.object({ kind: z.enum(threadKinds), title: z.string(), author: AuthorView }).nullable(),
        folderId: z.string().nullable(),
        /** Empty in lists of other members. */
        note: z.string(),
        at: z.iso.datetime(),
      }),
    ),
    ...Pages,
  }),
})
export type FavouriteView = z.infer<typeof favouriteList.output>['favourites'][number]

export const keepers = read('/user/control/topicFavoriteList', {
  summary: 'Members who added one of the member’s topics or questions to their favourites, newest first.',
  input: z.object({ topicId, page: page.default(1) }),
  output: z.object({
    topic: z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string() }),
    members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })),
    ...Pages,
  }),
})
