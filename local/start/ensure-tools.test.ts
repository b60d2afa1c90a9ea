import { describe, expect, it } from 'vitest'
import { ensureTools, type Tool, type ToolProbes } from './ensure-tools.ts'

function openMachine(present: Tool[], { isRoot, complaint = null }: { isRoot: boolean; complaint?: string | null }) {
  const installed: string[][] = []
  const said: string[] = []
  const probes: ToolProbes = {
    has: (tool) => present.includes(tool),
    canInstall: () => isRoot,
    async installPackages(packages) {
      installed.push(packages)
      if (complaint === null) present.push('ffmpeg', 'flite', 'pocketsphinx')
      return complaint
    },
    say: (line) => said.push(line),
  }
  return { probes, installed, said }
}

describe('ensureTools', () => {
  it('installs and says nothing when all tools are there', async () => {
    const { probes, installed, said } = openMachine(['flite', 'ffmpeg'], { isRoot: true })
    await ensureTools(['flite', 'ffmpeg'], probes)
    expect([installed, said]).toEqual([[], []])
  })

  it('installs the packages of the missing tools as root', async () => {
    const { probes, installed, said } = openMachine(['ffmpeg'], { isRoot: true })
    await ensureTools(['ffmpeg', 'flite', 'pocketsphinx'], probes)
    expect(installed).toEqual([['flite', 'ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']])
    expect(said).toHaveLength(1)
  })

  it('names the missing tools in one sentence where it may not install, or cannot', async () => {
    await expect(ensureTools(['flite'], openMachine([], { isRoot: false }).probes)).rejects.toThrow(
      'Tests and benches need flite: run `sudo apt-get install flite`.',
    )
    const broken = openMachine([], { isRoot: true, complaint: 'no network' })
    await expect(ensureTools(['flite'], broken.probes)).rejects.toThrow('flite could not be installed (no network)')
  })
})
