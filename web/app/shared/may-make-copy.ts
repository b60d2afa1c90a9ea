import { sparesData } from '#web/lib/connection.ts'

/** An hour of video takes many minutes of work. */
const BATTERY_MIN = 0.5

/** Whether a small copy may be made without asking: neither data nor the battery is to be spared. */
export async function mayMakeCopy(): Promise<boolean> {
  return !sparesData() && (await hasPower())
}

type WithBattery = Navigator & { getBattery?: () => Promise<{ charging: boolean; level: number }> }

/** A browser that does not tell is taken for one on the mains. */
async function hasPower(): Promise<boolean> {
  const battery = await (navigator as WithBattery).getBattery?.().catch(() => undefined)
  return battery === undefined || battery.charging || battery.level >= BATTERY_MIN
}
