import { existsSync } from 'node:fs'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const places = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

export type PrometheusPrograms = { prometheus: string; promtool: string }

function knownPrometheus(): PrometheusPrograms | null {
  const place = places.find((folder) => ['prometheus', 'promtool'].every((name) => existsSync(`${folder}/${name}`)))
  return place === undefined ? null : { prometheus: `${place}/prometheus`, promtool: `${place}/promtool` }
}

/** Prometheus and its tool for tests, installed if there is none. */
export async function findPrometheus(): Promise<PrometheusPrograms> {
  const known = knownPrometheus()
  if (known) return known
  const found = (await installFromDebian('Prometheus', ['prometheus'])) && knownPrometheus()
  if (found) return found
  throw new Halt('The tests need Prometheus and promtool. Install prometheus.')
}
