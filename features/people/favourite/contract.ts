import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plainString, plainLine } from '#base/plain-text.ts'
import { threadKinds } from '#kind/contract.ts'
import { AuthorView } from '#user/contract.ts'

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
  summary: 'Keeps a topic or a question as a favourite; what is one already stays as it is.',
  input: z.object({ topicId }),
  output: nothing,
})

export const editFavourite = write('/favourite/edit', {
  summary: 'Puts a favourite of mine into a folder, or without one beside all, and notes something on it for me alone.',
  input: z.object({ topicId, folderId: id.optional(), note: plainString.max(longest.note).default('') }),
  output: nothing,
  errors: [FolderGone],
})

export const removeFavourite = write('/favourite/remove', {
  summary: 'Keeps a topic as a favourite no more. What was noted on it goes.',
  input: z.object({ topicId }),
  output: nothing,
})

export const favouriteForm = read('/favourite/form', {
  summary: 'My folders, and where this favourite lies.',
  input: z.object({ topicId }),
  output: z.object({ folders: z.array(FolderView), folderId: z.string().nullable(), note: z.string() }),
})

export const addFolder = write('/favourite/addFolder', {
  summary: 'Makes a folder for favourites; what lies in a public one everybody may see.',
  input: z.object({ name, isPublic: z.boolean().default(false) }),
  output: z.object({ folderId: z.string() }),
  errors: [FolderThere, TooManyFolders],
})

export const editFolder = write('/favourite/editFolder', {
  summary: 'Names a folder of mine otherwise, or shows it to everybody or to me alone.',
  input: z.object({ folderId: id, name, isPublic: z.boolean().default(false) }),
  output: nothing,
  errors: [FolderGone, FolderThere],
})

export const removeFolder = write('/favourite/removeFolder', {
  summary: 'Removes a folder of mine. What lay in it lies beside all folders then.',
  input: z.object({ folderId: id }),
  output: nothing,
})

export const favouriteList = read('/user/control/favoriteList', {
  summary: 'My favourites, newest first, or those in the public folders of another member.',
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
  summary: 'Who keeps a topic or a question of mine as a favourite, newest first.',
  input: z.object({ topicId, page: page.default(1) }),
  output: z.object({
    topic: z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string() }),
    members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })),
    ...Pages,
  }),
})
