import type { Endpoint } from '#base/contract.ts'
import { addressOf, files } from './repository.ts'

/** Every endpoint of every contract. */
export async function endpoints(): Promise<Endpoint[]> {
  const contracts = await Promise.all(files(/^features\/[\w-]+\/[\w-]+\/(\w+-)?contract\.ts$/).map((path) => import(addressOf(path))))
  return contracts.flatMap((contract: Record<string, unknown>) => Object.values(contract).filter(isEndpoint))
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'errors' in value && 'path' in value
}
