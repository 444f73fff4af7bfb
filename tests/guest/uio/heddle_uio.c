// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// The guest's UIO device "heddle": what uio_pdrv_genirq makes of a node of the device tree, which Debian's kernel does
// not have. Parameters say where the device is instead of a node. Loaded by init.
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/platform_device.h>
#include <linux/uio_driver.h>

static ulong control, memory, memory_bytes;
static uint spi;
module_param(control, ulong, 0444);
module_param(memory, ulong, 0444);
module_param(memory_bytes, ulong, 0444);
module_param(spi, uint, 0444);

static struct platform_device *device;
static struct uio_info info = {.name = "heddle", .version = "1"};
static DEFINE_SPINLOCK(lock);
static bool is_off;

// As long as the device asks, the interrupt is off; a program switches it on again.
static irqreturn_t handle(int irq, struct uio_info *of) {
  spin_lock(&lock);
  if (!is_off)
    disable_irq_nosync(irq);
  is_off = true;
  spin_unlock(&lock);
  return IRQ_HANDLED;
}

static int control_interrupt(struct uio_info *of, s32 on) {
  unsigned long flags;
  spin_lock_irqsave(&lock, flags);
  if (on && is_off)
    enable_irq((unsigned)of->irq);
  else if (!on && !is_off)
    disable_irq_nosync((unsigned)of->irq);
  is_off = !on;
  spin_unlock_irqrestore(&lock, flags);
  return 0;
}

static int __init start(void) {
  static const char *const controllers[] = {"arm,cortex-a15-gic", "arm,gic-v3"};
  struct of_phandle_args interrupt = {.args_count = 3, .args = {0, spi, IRQ_TYPE_LEVEL_HIGH}};
  size_t i;
  int result;
  for (i = 0; i < ARRAY_SIZE(controllers) && !interrupt.np; i++)
    interrupt.np = of_find_compatible_node(NULL, NULL, controllers[i]);
  info.irq = interrupt.np ? irq_create_of_mapping(&interrupt) : 0;
  if (info.irq == 0)
    return -ENXIO;
  device = platform_device_register_simple("heddle", PLATFORM_DEVID_NONE, NULL, 0);
  if (IS_ERR(device))
    return PTR_ERR(device);
  info.mem[0] = (struct uio_mem){.name = "control", .addr = control, .size = 0x1000, .memtype = UIO_MEM_PHYS};
  info.mem[1] = (struct uio_mem){.name = "memory", .addr = memory, .size = memory_bytes, .memtype = UIO_MEM_PHYS};
  info.handler = handle;
  info.irqcontrol = control_interrupt;
  result = uio_register_device(&device->dev, &info);
  if (result != 0)
    platform_device_unregister(device);
  return result;
}

static void __exit stop(void) {
  uio_unregister_device(&info);
  platform_device_unregister(device);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A Heddle device for UIO, at the addresses of its parameters");
