import { tabName } from '#base/web/tab-name.ts'

const inUse = new Map<string, AbortSignal>()

/**
 * A name for a stream of this tab, which no other open stream of its endpoint here has. The server ends the former stream of the name, for it
 * may hear of a closed connection much later. The name is free again as soon as the stream is left.
 */
export function takeStreamName(address: string, signal: AbortSignal): { name: string; free: () => void } {
  const [path] = address.split('?')
  let number = 0
  while (inUse.has(`${path} ${number}`)) number++
  const place = `${path} ${number}`
  inUse.set(place, signal)
  // Another stream may have the name by now.
  const free = () => void (inUse.get(place) === signal && inUse.delete(place))
  signal.addEventListener('abort', free)
  return { name: `${tabName()}-${number}`, free }
}
