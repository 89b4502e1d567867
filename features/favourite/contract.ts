import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { plain, plainLine } from '#base/plain-text.ts'
import { threadKinds } from '#kind/contract.ts'
import { AuthorView } from '#user/contract.ts'

export const FolderGone = refusal('favourite.folderGone', { field: 'folderId' })
export const FolderThere = refusal('favourite.folderThere', { field: 'name' })
export const TooManyFolders = refusal('favourite.tooManyFolders', { field: 'name' })

export const mostFolders = 100
export const longest = { name: 40, note: 500 } as const

const topicId = id
const name = plainLine.min(1).max(longest.name)
const Pages = { total: z.number(), page: z.number(), pages: z.number() }

/** `count` is of those that may be seen by who asks, or were once. */
export const FolderView = z.object({ id: z.string(), name: z.string(), isPublic: z.boolean(), count: z.number() })
export type FolderView = z.infer<typeof FolderView>

export const addFavourite = write('/favourite/add', {
  does: 'Keeps a topic or a question as a favourite; what is one already stays as it is.',
  takes: z.object({ topicId }),
  gives: nothing,
})

export const editFavourite = write('/favourite/edit', {
  does: 'Puts a favourite of mine into a folder, or without one beside all, and notes something on it for me alone.',
  takes: z.object({ topicId, folderId: id.optional(), note: plain.max(longest.note).default('') }),
  gives: nothing,
  refuses: [FolderGone],
})

export const removeFavourite = write('/favourite/remove', {
  does: 'Keeps a topic as a favourite no more. What was noted on it goes.',
  takes: z.object({ topicId }),
  gives: nothing,
})

export const favouriteForm = read('/favourite/form', {
  does: 'My folders, and where this favourite lies.',
  takes: z.object({ topicId }),
  gives: z.object({ folders: z.array(FolderView), folderId: z.string().nullable(), note: z.string() }),
})

export const addFolder = write('/favourite/addFolder', {
  does: 'Makes a folder for favourites; what lies in a public one everybody may see.',
  takes: z.object({ name, isPublic: z.boolean().default(false) }),
  gives: z.object({ folderId: z.string() }),
  refuses: [FolderThere, TooManyFolders],
})

export const editFolder = write('/favourite/editFolder', {
  does: 'Names a folder of mine otherwise, or shows it to everybody or to me alone.',
  takes: z.object({ folderId: id, name, isPublic: z.boolean().default(false) }),
  gives: nothing,
  refuses: [FolderGone, FolderThere],
})

export const removeFolder = write('/favourite/removeFolder', {
  does: 'Removes a folder of mine. What lay in it lies beside all folders then.',
  takes: z.object({ folderId: id }),
  gives: nothing,
})

export const favouriteList = read('/user/control/favoriteList', {
  does: 'My favourites, newest first, or those in the public folders of another member.',
  takes: z.object({ userId: id.optional(), folderId: id.optional(), page: page.default(1) }),
  gives: z.object({
    user: AuthorView,
    folders: z.array(FolderView),
    favourites: z.array(
      z.object({
        topicId: z.string(),
        /** Null where it is gone, or not for who asks to see. */
        topic: z.object({ kind: z.enum(threadKinds), title: z.string(), author: AuthorView }).nullable(),
        folderId: z.string().nullable(),
        /** Empty but for oneself. */
        note: z.string(),
        at: z.iso.datetime(),
      }),
    ),
    ...Pages,
  }),
})
export type FavouriteView = z.infer<typeof favouriteList.gives>['favourites'][number]

export const keepers = read('/user/control/topicFavoriteList', {
  does: 'Who keeps a topic or a question of mine as a favourite, newest first.',
  takes: z.object({ topicId, page: page.default(1) }),
  gives: z.object({
    topic: z.object({ id: z.string(), kind: z.enum(threadKinds), title: z.string() }),
    members: z.array(z.object({ member: AuthorView, at: z.iso.datetime() })),
    ...Pages,
  }),
})
