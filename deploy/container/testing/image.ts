import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from '#base/testing/after-file.ts'
import { npmWith } from '../../../scripts/npm.mjs'
import { Halt, run } from '../../../scripts/step.mjs'
import { installFromDebian } from '../../../tools/install-from-debian.ts'
import { root } from '../../../tools/steps.ts'

const official = 'docker.io/library/node:24-bookworm-slim'
const npmVersion = '11.6.2'

export type ImageConfig = {
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  User: string
  WorkingDir: string
  Healthcheck: { Test: string[] }
}

/** Builds the image of the Containerfile, and unpacks it. In place of the official base it takes a Debian with this Node, of that name. */
export async function buildImage(): Promise<{ files: string; config: ImageConfig }> {
  await requirePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-image-'))
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const buildah = async (...words: string[]) => (await run('buildah', [...store, ...words], { cwd: root })).trim()
  afterFile(async () => {
    await buildah('rm', '--all')
    await buildah('rmi', '--all', '--force')
    rmSync(folder, { recursive: true, force: true })
  })
  await makeBase(folder, buildah)
  const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--ignorefile', '.dockerignore']
  await buildah('build', ...how, '--file', 'deploy/container/Containerfile', '--tag', 'teahouse', '.')
  const container = await buildah('from', '--pull-never', 'teahouse')
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'teahouse'))
  return { files: await buildah('mount', container), config: Docker.config }
}

async function makeBase(folder: string, buildah: (...words: string[]) => Promise<string>): Promise<void> {
  const archive = join(folder, 'debian.tar')
  const lean = ['doc', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const how = ['--quiet', '--variant=essential', '--include=passwd,libstdc++6', '--dpkgopt=force-unsafe-io', ...lean]
  await run('mmdebstrap', [...how, 'bookworm', archive, 'http://deb.debian.org/debian'], { cwd: folder })
  const base = await buildah('from', 'scratch')
  await buildah('add', '--quiet', base, archive, '/')
  await buildah('copy', '--quiet', base, process.execPath, '/usr/local/bin/node')
  await buildah('copy', '--quiet', base, await fetchNpm(folder), '/usr/local/lib/node_modules/npm')
  // A machine behind a proxy that signs for other hosts trusts its certificate; so must npm in the image.
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates) {
    await buildah('copy', '--quiet', base, certificates, '/usr/local/share/certificates.crt')
    await buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/share/certificates.crt', base)
  }
  await buildah('commit', '--quiet', '--rm', base, official)
}

/** The npm that comes with a Node; the one on this machine may be spread over its folders. */
async function fetchNpm(folder: string): Promise<string> {
  const project = join(folder, 'npm')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const npm = npmWith(process.execPath, project)
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `npm@${npmVersion}`]
  await run(npm.file, [...npm.args, ...words], { cwd: project, env: npm.env })
  return join(project, 'node_modules/npm')
}

async function requirePrograms(): Promise<void> {
  const missing = ['buildah', 'mmdebstrap'].filter((name) => !existsSync(`/usr/bin/${name}`))
  if (missing.length === 0 || (await installFromDebian('Buildah', missing))) return
  throw new Halt(`The test of the image needs ${missing.join(' and ')}. Install them, and run it as root.`)
}
