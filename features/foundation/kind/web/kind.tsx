import { useWords } from '#base/web/words.tsx'
import { nameOf, postNames, type NamedPost, type PostName } from '#kind/contract.ts'

/** Returns the name of a kind of post, for use within a sentence. */
export function usePostWord(): (post: NamedPost, count?: number) => string {
  const words = useWords('kind')
  return (post, count = 1) => words(nameOf(post), { count })
}

/** The same as a title, for use by itself. */
export function usePostTitle(): (post: NamedPost) => string {
  const word = usePostWord()
  return (post) => capital(word(post))
}

/** All names of posts, as options of a select. */
export function usePostNames(): [PostName, string][] {
  const words = useWords('kind')
  return postNames.map((name) => [name, capital(words(name, { count: 1 }))])
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
