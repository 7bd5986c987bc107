export function xmlParser() {
    return () => 0;
}
