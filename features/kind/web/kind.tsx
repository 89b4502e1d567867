import { useWords } from '#base/web/words.tsx'
import { nameOf, postNames, type NamedPost, type PostName } from '#kind/contract.ts'

/** Says what posts are called, for within a sentence. */
export function usePostWord(): (post: NamedPost, count?: number) => string {
  const words = useWords('kind')
  return (post, count = 1) => words(nameOf(post), { count })
}

/** The same, for where the word stands by itself. */
export function usePostTitle(): (post: NamedPost) => string {
  const word = usePostWord()
  return (post) => capital(word(post))
}

/** All that posts are called, to choose from. */
export function usePostNames(): [PostName, string][] {
  const words = useWords('kind')
  return postNames.map((name) => [name, capital(words(name, { count: 1 }))])
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
