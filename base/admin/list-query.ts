import type { Api, Endpoint, RawInput, Output } from '#base/contract.ts'

/** The query of a list from the URL, with the fields that its endpoint accepts. The endpoint validates it. */
export function listQuery<E extends Endpoint>({ input }: E, url: URL): RawInput<E> {
  const shape = 'shape' in input ? (input.shape as Record<string, unknown>) : {}
  const entries = Object.keys(shape).flatMap((name) => {
    const [first, ...others] = url.searchParams.getAll(name)
    return first === undefined || first === '' ? [] : [[name, others.length > 0 ? [first, ...others] : first]]
  })
  return Object.fromEntries(entries) as RawInput<E>
}

/** A loader for the page of a list that the URL asks for. */
export function listLoader<E extends Endpoint>(list: E): (question: { api: Api; url: URL }) => Promise<Output<E>> {
  return ({ api, url }) => api.read<E>(list.path, listQuery(list, url))
}
