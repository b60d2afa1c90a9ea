// What `npm start` and `npm run dev` run. Plain JavaScript, so that also a Node that is too old can say so.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

// What wrangler and vitest need, and the first Node 22 that runs TypeScript well.
const LEAST_NODE = [22, 12]
const PARENT_CHECK_MS = 500

const start = new URL('./start.ts', import.meta.url)
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
  fail(
    `Adapt needs Node ${LEAST_NODE.join('.')} or newer, and this is ${process.versions.node}: see https://nodejs.org. ` +
      'On Linux x64 `npm ci` installs one for this project.',
  )
} else if (!existsSync(new URL('../../node_modules/wrangler/package.json', import.meta.url))) {
  fail('The packages that Adapt needs are not installed: run `npm ci` first.')
} else {
  if (process.env.npm_lifecycle_event) endWithNpm()
  if (process.features.typescript) await import(start.href)
  else runWithTypeScript()
}

function fail(sentence) {
  console.error(sentence)
  process.exitCode = 1
}

// npm passes a SIGTERM on to a shell, which dies of it and leaves this process alone.
function endWithNpm() {
  const parent = process.ppid
  const check = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(check, PARENT_CHECK_MS).unref()
}

function runWithTypeScript() {
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  const args = [...flags, fileURLToPath(start), ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
