export async function measureStages(_: unknown): Promise<void> {}
