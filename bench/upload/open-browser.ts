import { readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '#local/start/find-chromium.ts'

const SAMPLE_MS = 50

export interface BenchBrowser {
  openPage(url: string): Promise<Page>
  /** Does some work and tells how much more memory the browser held at most meanwhile, in MB. */
  measureMemory<T>(work: () => Promise<T>): Promise<{ result: T; rendererMb: number; allMb: number }>
  close(): Promise<void>
}

export async function openBrowser(): Promise<BenchBrowser> {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] })
  return {
    openPage: async (url) => {
      const page = await browser.newPage()
      page.on('pageerror', (error) => console.error(`· the page fails: ${error.message}`))
      await page.goto(url)
      return page
    },
    measureMemory: (work) => measureMemory(browser, work),
    close: () => browser.close(),
  }
}

async function measureMemory<T>(browser: Browser, work: () => Promise<T>) {
  const processes = await listProcesses(browser)
  const renderers = processes.filter(({ type }) => type === 'renderer')
  const before = { renderer: residentMb(renderers), all: residentMb(processes) }
  const peak = { ...before }
  const sampler = setInterval(() => {
    peak.renderer = Math.max(peak.renderer, residentMb(renderers))
    peak.all = Math.max(peak.all, residentMb(processes))
  }, SAMPLE_MS)
  try {
    const result = await work()
    return { result, rendererMb: peak.renderer - before.renderer, allMb: peak.all - before.all }
  } finally {
    clearInterval(sampler)
  }
}

interface BrowserProcess {
  type: string
  id: number
}

async function listProcesses(browser: Browser): Promise<BrowserProcess[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo
}

function residentMb(processes: BrowserProcess[]): number {
  return processes.reduce((sum, { id }) => sum + residentOf(id), 0)
}

/** Linux only, like the other measurements. */
function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended.
    return 0
  }
}
